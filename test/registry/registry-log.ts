/** A registry of rows, without a prober: slots are recorded as if nodes had been looked at. */

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignedLooks } from '../../protocol/registry/looks.ts';
import type { ReceiptAttempt, ReceiptObservation } from '../../protocol/registry/receipt.ts';
import type { DatabaseLocation } from '../../service/src/db/database.ts';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { verifyRegistry } from '../../service/src/parts/registry/audit/verify-registry.ts';
import { addClaim } from '../../service/src/parts/registry/claims/claim-bounds.ts';
import { useClaim } from '../../service/src/parts/registry/claims/claim-store.ts';
import type { LogRules } from '../../service/src/parts/registry/log/receipt-log.ts';
import {
  activateNode,
  changeNodeState,
  findNode,
} from '../../service/src/parts/registry/nodes/node-store.ts';
import type { Look } from '../../service/src/parts/registry/probing/look-at-node.ts';
import { holdLease } from '../../service/src/parts/registry/probing/prober-store.ts';
import { recordOutage } from '../../service/src/parts/registry/probing/record-outage.ts';
import { recordSlot } from '../../service/src/parts/registry/probing/record-slot.ts';
import type { Slot } from '../../service/src/parts/registry/probing/slot-rules.ts';
import type {
  RegistryClaimTable,
  RegistryTables,
} from '../../service/src/parts/registry/schema/registry-tables.ts';
import { type HeldStatement, holdStatement } from '../../service/src/parts/registry/vantage/cast-votes.ts';
import { insertStatement } from '../../service/src/parts/registry/vantage/statement-store.ts';
import { writeStatement } from '../../service/src/parts/registry/vantage/write-statement.ts';
import { openServiceKey } from '../../service/src/signing/service-key.ts';
import type { TestEngine } from '../harness/engines.ts';

export const SLOT_MS = 600_000;
const T0 = 1_700_000_400_000;

/** What a node did in a slot: `pass` shows its token, `bare` passes without, `gone` cannot be reached, `foreign` has another chain, `heavier` one with more work. */
export type Seen = 'pass' | 'bare' | 'fail' | 'gone' | 'foreign' | 'heavier' | 'void';

export type RegistryLog = {
  precious: Precious;
  /** Where its database is, for another process. */
  location: DatabaseLocation;
  rules: LogRules;
  /** Registers a node of this name; its key is the name. */
  register(name: string, endpoint: string, network?: string): Promise<void>;
  /** The node gives its endpoint up. */
  leave(name: string): Promise<void>;
  /** Records a slot at a height; `moves` says where host names led, and of whom the node there showed the tokens. */
  record(
    slot: number,
    height: number,
    seen: Readonly<Record<string, Seen>>,
    moves?: Readonly<Record<string, { reached: string; tokensOf: readonly string[] }>>,
    /** What vantage points have signed of it; of this registry's own looks a statement is made. */
    statements?: readonly SignedLooks[],
  ): Promise<void>;
  /** The slot of a number, for statements. */
  slotAt(slot: number): Slot;
  /** Says that slots passed in which nobody looked. */
  outage(fromSlot: number, toSlot: number, height: number): Promise<void>;
  listFaults(): Promise<string[]>;
  close(): Promise<void>;
};

/** @param vantages keys of the vantage points that its epochs begin with */
export async function openRegistryLog(
  engine: TestEngine,
  vantages: readonly string[] = [],
): Promise<RegistryLog> {
  const location = await engine.openUrl();
  const database: DatabaseLocation =
    location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'front.db') } : location;
  const precious = await openPrecious(database, preciousMigrations);
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-key-'));
  const signer = openServiceKey(join(folder, 'registry.key'));
  const rules: LogRules = {
    signer,
    genesisHash: '00'.repeat(32),
    epochBlocks: 50,
    reward: 1_000_000n,
    asTable: undefined,
    vantages,
  };
  const options = { precious, holder: 'a', slotMs: SLOT_MS, log: rules };
  const db = precious.query<RegistryTables>();
  const slotAt = (n: number) => ({ startMs: T0 + n * SLOT_MS, endMs: T0 + (n + 1) * SLOT_MS });
  const momentAt = (n: number, height: number) => ({
    nowMs: T0 + n * SLOT_MS,
    height,
    blockHash: 'ab'.repeat(32),
  });
  await holdLease(db, {
    holder: 'a',
    registryKey: signer.publicKey,
    epochBlocks: 50,
    nowMs: T0,
    leaseUntilMs: T0 + 1_000,
    takeOver: true,
  });
  return {
    precious,
    location: database,
    rules,
    async register(name, endpoint, network = `net ${name}`) {
      const claim: RegistryClaimTable = {
        ...{ id: `clm_${randomBytes(16).toString('base64url')}`, state: 'pending', domain: 'coin.example' },
        ...{ registry_key: '11', node_key: name, endpoint, network, payout_address: `to ${name}` },
        ...{
          endpoint_token: `nodeproof-${name}`,
          reached: null,
          nonce: '22',
          client: 'client',
          client_56: null,
        },
        ...{ client_48: null, issued_at: T0, expires_at: T0 + 1_000, open_until: T0 + 1_000 },
        ...{ verified_at: null, address_signature: null, node_signature: null },
      };
      const bounds = { ofKey: 1_000, ofClient: 1_000, all: 1_000, awaiting: 1_000 };
      await precious.transaction<RegistryTables, void>(async (trx) => {
        await addClaim(trx, claim, [{ share: 1, name: 'client', names: ['client'] }], bounds);
        await useClaim(trx, claim.id, { address: 'a', node: 'b' }, T0, undefined);
        await activateNode(trx, claim, T0);
      });
    },
    async leave(name) {
      await changeNodeState(db, name, ['active'], 'removed');
    },
    slotAt,
    async record(slot, height, seen, moves = {}, statements) {
      const looked = await Promise.all(
        Object.entries(seen).map(async ([name, what]) => ({
          node: (await findNode(db, name))!,
          token: `nodeproof-${name}`,
          looks: describeLooks(what).map((look) => describeMove(look, moves[name])),
        })),
      );
      const moment = momentAt(slot + 1, height);
      const others = { others: [] };
      const own = writeStatement(rules, slotAt(slot), moment, { looked, ...others });
      const held = new Map<string, HeldStatement[]>();
      for (const signed of statements === undefined ? [] : [own, ...statements]) {
        const { registry_key } = signed.statement;
        await insertStatement(db, signed, moment.nowMs);
        held.set(registry_key, [...(held.get(registry_key) ?? []), holdStatement(signed)]);
      }
      const ballot = { own: holdStatement(own), statements: held };
      await recordSlot(options, slotAt(slot), moment, looked, statements && { ...others, ballot });
    },
    async outage(fromSlot, toSlot, height) {
      const span = { startMs: slotAt(fromSlot).startMs, endMs: slotAt(toSlot).startMs };
      await recordOutage(options, span, momentAt(toSlot, height));
    },
    async listFaults() {
      const { genesisHash } = rules;
      const about = { precious, genesisHash, registryKey: signer.publicKey, head: undefined };
      return (await verifyRegistry(about)).faults;
    },
    async close() {
      await precious.close();
      await rm(folder, { recursive: true });
    },
  };
}

function describeMove(look: Look, move: { reached: string; tokensOf: readonly string[] } | undefined): Look {
  if (move === undefined) return look;
  const network = `${move.reached.split('.').slice(0, 3).join('.')}.0/24`;
  return {
    ...look,
    reached: { text: move.reached, network },
    tokens: move.tokensOf.map((name) => `nodeproof-${name}`),
  };
}

const reasons: Record<Seen, string | null> = {
  pass: null,
  bare: null,
  fail: 'timeout',
  gone: 'unreachable',
  foreign: 'wrong_chain',
  heavier: 'wrong_chain',
  void: 'own_node_behind',
};

function describeLooks(seen: Seen) {
  const reason = reasons[seen];
  const result = seen === 'void' ? 'void' : reason === null ? 'pass' : 'fail';
  const attempt: ReceiptAttempt = { at: new Date(T0).toISOString(), result, reason };
  const observed: ReceiptObservation | null =
    result !== 'pass'
      ? null
      : {
          ...{ start_height: 100, lag: 0, protocol_version: 70_016, services: '9', user_agent: '/Test/' },
          ...{ endpoint_proven: seen === 'pass', block_height: 1, block_hash: '00'.repeat(32), ping_ms: 1 },
        };
  return Array.from({ length: result === 'pass' ? 1 : 2 }, () => ({
    ...{ attempt, observed, tokens: [] as string[], showsMoreWork: seen === 'heavier' },
  }));
}
