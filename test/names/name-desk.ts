import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import { encodeNameOperation, type NameOperation } from '@coinfront/protocol/names/name-operation.ts';
import { carrierOutput } from '@coinfront/protocol/testing/spends.ts';
import type { DatabaseLocation } from '../harness/engines.ts';
import type { TestNode } from '../harness/litecoind.ts';
import { type ServiceAnswer, startService, type TestService } from '../harness/service.ts';
import { type Signed, type Signer, signTransaction } from '../harness/signing-wallet.ts';
import { shortLivedContext, writeShortLivedProfile } from './name-profile.ts';

/** The salt of every commitment of a test. */
export const testSalt: Uint8Array = new Uint8Array(16).fill(9);

/** A service with the short-lived registry, and the node that it follows. */
export type NameDesk = {
  readonly service: TestService;
  /** `GET` below the registry's base address. */
  get(path: string): Promise<ServiceAnswer>;
  post(path: string, body: unknown): Promise<ServiceAnswer>;
  /** Mines exactly these transactions; gives the height once the service is there. */
  mine(...transactions: (Signed | string)[]): Promise<number>;
  /** Mines empty blocks until the tip has the height. */
  mineTo(height: number): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the service; the caller stops it, and the node. */
export async function openNameDesk(node: TestNode, database: DatabaseLocation): Promise<NameDesk> {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-names-'));
  const settings = { COINFRONT_COIN: await writeShortLivedProfile(folder) };
  const service = await startService({ nodeUrl: node.url, database, settings });
  const get = (path: string) => service.get(`/api/vns/v1${path}`);
  return {
    service,
    get,
    post: (path, body) => service.post(`/api/vns/v1${path}`, body),
    async mine(...transactions) {
      const raw = transactions.map((each) => (typeof each === 'string' ? each : each.hex));
      const { hash } = await node.rpc<{ hash: string }>('generateblock', await node.newAddress(), raw);
      await service.waitForTip(hash);
      return await node.rpc<number>('getblockcount');
    },
    async mineTo(height) {
      const missing = height - (await node.rpc<number>('getblockcount'));
      if (missing > 0) await service.waitForTip((await node.mine(missing)).at(-1)!);
    },
    async stop() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A commit for a name, to be registered by `owner`. */
export function commitTo(owner: Signer, name: string): NameOperation {
  const parts = { ownerScript: owner.script, salt: testSalt, name };
  return { kind: 'commit', commitment: nameCommitment(parts, shortLivedContext.genesisPrefix) };
}

/** A register of a name that was committed to by {@link commitTo}. */
export function registerOf(name: string, periods = 1): NameOperation {
  return { kind: 'register', periods, salt: testSalt, name };
}

/** Signs an operation: the carrier, 10,000 base units to `to`, the fee, and change. */
export function signOperation(
  signer: Signer,
  operation: NameOperation,
  {
    paid = 0n,
    to = signer,
    sighash,
    again = false,
  }: { paid?: bigint; to?: Signer; sighash?: number; again?: boolean } = {},
): Signed {
  const { rules } = shortLivedContext;
  const carrier = carrierOutput(encodeNameOperation(operation, rules.marker));
  const outputs = [
    carrier,
    { value: 10_000n, script: to.script },
    ...(paid > 0n ? [{ value: paid, script: rules.feeScript }] : []),
    ...(again ? [carrier] : []),
  ];
  return signTransaction(signer, outputs, sighash === undefined ? {} : { sighash });
}
