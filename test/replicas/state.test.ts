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
import { connectToLedger, profile, signRandomOperation, tokenContext } from '../tokens/token-traffic.ts';

const ANCHORS = 7;
const COMMITS = 5;
const BASES = { tokens: '/api/v1/tok', proofs: '/api/v1/proof', names: '/api/vns/v1' };
type Protocol = keyof typeof BASES;
const protocols = Object.keys(BASES) as Protocol[];
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

let node: TestNode;
const ledger = createTokenLedger(tokenContext);

async function sendCarrier(payload: string): Promise<void> {
  const blank = await node.rpc<string>('createrawtransaction', [], [{ data: payload }]);
  const funded = await node.rpc<{ hex: string }>('fundrawtransaction', blank, { lockUnspents: true });
  const signed = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', funded.hex);
  await node.rpc('sendrawtransaction', signed.hex);
}

beforeAll(async () => {
  node = await startNode();
  await node.mine(130);
  const signers = ['ann', 'ben', 'cat'].map((name) => createSigner(name, profile));
  await fundSigners(node, signers, 100);
  const random = createRandom(8);
  for (let i = 0; i < 8; i++) {
    const signed = Array.from({ length: 4 }, () => signRandomOperation(random, signers, ledger));
    connectToLedger(ledger, await mineSigned(node, signed));
  }
  for (let i = 0; i < ANCHORS; i++) await sendCarrier(`56504631${randomBytes(32).toString('hex')}`);
  // Twice the same digest is one row.
  for (let i = 0; i < 2; i++) await sendCarrier(`56504631${'ab'.repeat(32)}`);
  for (let i = 0; i < COMMITS; i++) await sendCarrier(`564e533101${randomBytes(32).toString('hex')}`);
  await node.mine(1);
});
afterAll(() => node?.stop());

forEachEngine('the state of a protocol', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
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
          proofs: ANCHORS + 1,
          names: COMMITS,
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

  test('is kept of heights that 1,000 divides, and of no others', async () => {
    for (const protocol of protocols) {
      expect((await hashesOf(protocol, 0)).json.state_hash).toBe(EMPTY);
      const other = await hashesOf(protocol, 5);
      expect([other.status, other.json.code]).toEqual([410, 'state_unavailable']);
    }
  });

  test('cannot be read on once the tip is another block, nor with the cursor of another list', async () => {
    const cursors: Partial<Record<Protocol, string>> = {};
    for (const protocol of protocols) {
      const { json } = await service.get(`${BASES[protocol]}/state?limit=1`);
      cursors[protocol] = json.next_cursor;
      expect(json.items.length).toBeLessThanOrEqual(1);
    }
    const mixed = await service.get(`${BASES.tokens}/state?cursor=${cursors.proofs}`);
    expect([mixed.status, mixed.json.code]).toEqual([400, 'invalid_cursor']);
    await service.waitForTip((await node.mine(1))[0]!);
    for (const protocol of protocols) {
      const gone = await service.get(`${BASES[protocol]}/state?limit=1&cursor=${cursors[protocol]}`);
      expect([gone.status, gone.json.code]).toEqual([409, 'cursor_expired']);
    }
  });
});
