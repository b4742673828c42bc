import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StatePageJson } from '@coinfront/api/protocol-state.ts';
import { createTokenLedger } from '@coinfront/protocol/testing/token-ledger.ts';
import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { listNameState } from '@coinfront/sdk/names/list-name-state.ts';
import { listProofState } from '@coinfront/sdk/proofs/list-proof-state.ts';
import { listTokenState } from '@coinfront/sdk/tokens/list-token-state.ts';
import { verifyState } from '@coinfront/sdk/verify/verify-state.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { runCoin } from '../cli/run-coin.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { mineSigned } from '../harness/signed-blocks.ts';
import { createSigner, fundSigners } from '../harness/signing-wallet.ts';
import {
  connectToLedger,
  profile,
  signOperation,
  signRandomOperation,
  TERMS,
  tokenContext,
} from '../tokens/token-traffic.ts';

const ANCHORS = 7;
const COMMITS = 5;
const HORIZON = 20;
const BASES = { tokens: '/api/v1/tok', proofs: '/api/v1/proof', names: '/api/vns/v1' };
type Protocol = keyof typeof BASES;
const protocols = Object.keys(BASES) as Protocol[];
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

let node: TestNode;
const ledger = createTokenLedger(tokenContext);
const signers = ['ann', 'ben', 'cat'].map((name) => createSigner(name, profile));
/** Twice the same digest is one row. */
const rowsOf = { proofs: ANCHORS + 1, names: COMMITS };

async function sendCarrier(payload: string): Promise<void> {
  const blank = await node.rpc<string>('createrawtransaction', [], [{ data: payload }]);
  const funded = await node.rpc<{ hex: string }>('fundrawtransaction', blank, { lockUnspents: true });
  const signed = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', funded.hex);
  await node.rpc('sendrawtransaction', signed.hex);
}

beforeAll(async () => {
  node = await startNode();
  await node.mine(130);
  await fundSigners(node, signers, 100);
  const random = createRandom(8);
  for (let i = 0; i < 8; i++) {
    const signed = Array.from({ length: 4 }, () => signRandomOperation(random, signers, ledger));
    connectToLedger(ledger, await mineSigned(node, signed));
  }
  for (let i = 0; i < ANCHORS; i++) await sendCarrier(`56504631${randomBytes(32).toString('hex')}`);
  for (let i = 0; i < 2; i++) await sendCarrier(`56504631${'ab'.repeat(32)}`);
  for (let i = 0; i < COMMITS; i++) await sendCarrier(`564e533101${randomBytes(32).toString('hex')}`);
  await node.mine(1);
});
afterAll(() => node?.stop());

forEachEngine('the state of a protocol', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: { COINFRONT_REORG_HORIZON: String(HORIZON) },
    });
    await service.waitForTip();
  });
  afterAll(() => service?.stop());

  const readers = {
    tokens: listTokenState,
    proofs: listProofState,
    names: listNameState,
  };
  const hashesOf = async (protocol: Protocol, height: number) =>
    await service.get(`${BASES[protocol]}/hashes/${height}?state=true`);

  test('read page by page hashes to state(h) of the tip, whatever the size of the pages', async () => {
    const client = createClient({ baseUrl: service.origin });
    const height = await node.rpc<number>('getblockcount');
    for (const protocol of protocols) {
      const { status, json } = await hashesOf(protocol, height);
      expect(status).toBe(200);
      expect(json.state_hash).toMatch(/^[0-9a-f]{64}$/);
      expect((await service.get(`${BASES[protocol]}/hashes/${height}`)).json.state_hash).toBe(null);
      for (const limit of [3, 500]) {
        const read = (cursor: string | undefined): Promise<StatePageJson> =>
          readers[protocol](client, cursor === undefined ? { limit } : { limit, cursor });
        const state = await verifyState(read);
        expect(state).toMatchObject({
          height,
          blockHash: json.block_hash,
          stateHash: json.state_hash,
          chainHash: json.chain_hash,
          rulesId: json.rules_id,
        });
        const rows = {
          tokens: ledger.listTokens().length + ledger.listBalances().length,
          ...rowsOf,
        };
        expect(state.rows).toBe(rows[protocol]);
      }
    }
    expect((await hashesOf('tokens', height)).json.state_hash).toBe(
      Buffer.from(ledger.stateHash()).toString('hex'),
    );
  });

  test('is read, hashed and compared by the command line, which tells a service that holds another one', async () => {
    const coin = (...words: string[]) =>
      runCoin({ home: '/nowhere' }, 'state', ...words, '--service', service.origin, '--json');
    for (const protocol of protocols) {
      const { code, json } = await coin(protocol, '--against', service.origin);
      expect([code, json.result]).toEqual([0, 'agrees']);
      const { json: hashes } = await hashesOf(protocol, json.height);
      expect(json).toMatchObject({ state_hash: hashes.state_hash, rules_id: hashes.rules_id });
    }
    const liar = createServer(async (request, response) => {
      const { status, json } = await service.get(request.url!);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json.state_hash ? { ...json, state_hash: EMPTY } : json));
    }).listen(0, '127.0.0.1');
    await once(liar, 'listening');
    try {
      const { port } = liar.address() as AddressInfo;
      const { code, json } = await coin('tokens', '--against', `http://127.0.0.1:${port}`);
      expect([code, json.result]).toEqual([6, 'differs']);
    } finally {
      liar.close();
      liar.closeAllConnections();
    }
    expect((await coin('coins')).code).toBe(2);
  });

  test('is that of any block which can still be undone, and of no other', async () => {
    const client = createClient({ baseUrl: service.origin });
    const tip = await node.rpc<number>('getblockcount');
    for (const protocol of protocols) {
      expect((await hashesOf(protocol, 0)).json.state_hash).toBe(EMPTY);
      for (const height of [tip - 1, tip - 5, tip - HORIZON]) {
        const { status, json } = await hashesOf(protocol, height);
        expect(status).toBe(200);
        const state = await verifyState((cursor) => readers[protocol](client, { limit: 3, height, cursor }));
        expect(state).toMatchObject({ height, blockHash: json.block_hash, chainHash: json.chain_hash });
        expect(state.stateHash).toBe(json.state_hash);
        const atTip = (await hashesOf(protocol, tip)).json.state_hash;
        if (height === tip - HORIZON) expect(state.stateHash).not.toBe(atTip);
      }
      for (const answer of [
        await hashesOf(protocol, tip - HORIZON - 1),
        await service.get(`${BASES[protocol]}/state?height=${tip - HORIZON - 1}`),
      ]) {
        expect([answer.status, answer.json.code]).toEqual([410, 'state_unavailable']);
      }
      const above = await service.get(`${BASES[protocol]}/state?height=${tip + 1}`);
      expect([above.status, above.json.code]).toEqual([404, 'block_not_found']);
    }
  });

  test('is read on to its end when other blocks have come, and no further when its block is gone', async () => {
    const client = createClient({ baseUrl: service.origin });
    const height = await node.rpc<number>('getblockcount');
    const wanted: Partial<Record<Protocol, string>> = {};
    const begun: Partial<Record<Protocol, StatePageJson>> = {};
    for (const protocol of protocols) {
      wanted[protocol] = (await hashesOf(protocol, height)).json.state_hash;
      begun[protocol] = await readers[protocol](client, { limit: 1 });
      expect(begun[protocol].items.length).toBeLessThanOrEqual(1);
    }
    const mixed = await service.get(`${BASES.tokens}/state?cursor=${begun.proofs!.next_cursor}`);
    expect([mixed.status, mixed.json.code]).toEqual([400, 'invalid_cursor']);

    const { fee } = tokenContext.rules.createFees[0]!;
    const create = signOperation(signers[0]!, { kind: 'create', terms: TERMS }, { fee });
    connectToLedger(ledger, await mineSigned(node, [create]));
    rowsOf.proofs++;
    rowsOf.names++;
    await sendCarrier(`56504631${randomBytes(32).toString('hex')}`);
    await sendCarrier(`564e533101${randomBytes(32).toString('hex')}`);
    await service.waitForTip((await node.mine(1))[0]!);
    for (const protocol of protocols) {
      const state = await verifyState(async (cursor) =>
        cursor === undefined ? begun[protocol]! : await readers[protocol](client, { limit: 2, cursor }),
      );
      expect([state.height, state.stateHash]).toEqual([height, wanted[protocol]]);
      expect((await hashesOf(protocol, height + 2)).json.state_hash).not.toBe(wanted[protocol]);
      const other = await service.get(
        `${BASES[protocol]}/state?height=${height + 1}&cursor=${begun[protocol]!.next_cursor}`,
      );
      expect([other.status, other.json.code]).toEqual([400, 'invalid_cursor']);
    }

    const lost = await node.rpc<string>('getblockhash', height);
    await node.rpc('invalidateblock', lost);
    const back = await node.mine(3);
    await service.waitForTip(back[2]!);
    for (const protocol of protocols) {
      const gone = await service.get(
        `${BASES[protocol]}/state?limit=1&cursor=${begun[protocol]!.next_cursor}`,
      );
      expect([gone.status, gone.json.code]).toEqual([409, 'cursor_expired']);
    }
    await node.rpc('reconsiderblock', lost);
    await node.rpc('invalidateblock', back[0]!);
  });
});
