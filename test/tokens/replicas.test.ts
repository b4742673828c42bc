import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRulesId } from '@coinfront/protocol/rules-id.ts';
import { findShippedProfileJson } from '@coinfront/protocol/shipped-profiles.ts';
import { createTokenLedger } from '@coinfront/protocol/testing/token-ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { createRandom } from '../../scripts/traffic/random.ts';
import { openDatabase } from '../../service/src/db/open.ts';
import { sql } from '../../service/src/db/statement.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { mineSigned } from '../harness/signed-blocks.ts';
import { createSigner, fundSigners } from '../harness/signing-wallet.ts';
import { testCoin } from '../harness/test-coin.ts';
import { connectToLedger, profile, signRandomOperation, tokenContext } from './token-traffic.ts';

const MINED = 10;

let node: TestNode;
let peer: TestService;
const folders: string[] = [];

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-replica-'));
  folders.push(folder);
  return folder;
}

beforeAll(async () => {
  node = await startNode();
  await node.mine(120);
  const signers = ['ann', 'ben'].map((name) => createSigner(name, profile));
  await fundSigners(node, signers, 100);
  const ledger = createTokenLedger(tokenContext);
  const random = createRandom(8);
  for (let i = 0; i < MINED; i++) {
    const signed = [signRandomOperation(random, signers, ledger)];
    connectToLedger(ledger, await mineSigned(node, signed));
  }
  peer = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir: await makeFolder() } });
});
afterAll(async () => {
  await peer?.stop();
  await node?.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** What a fresh service says of its peers once it has asked them. */
async function compareWith(peers: readonly string[], settings: Record<string, string> = {}) {
  const service = await startService({
    nodeUrl: node.url,
    database: { kind: 'sqlite', dataDir: await makeFolder() },
    settings: { COINFRONT_TOKEN_PEERS: peers.join(','), ...settings },
    waitFor: 'answer',
  });
  try {
    await service.waitForTip();
    let replicas: Record<string, unknown>[] = [];
    // The first look may come before the first block: it is asked again when the service is started anew.
    await service.stop();
    await service.start();
    await waitUntil('every peer was asked', async () => {
      replicas = (await service.get('/api/v1/tok/status')).json?.replicas ?? [];
      return replicas.length === peers.length && replicas.every(({ state }) => state !== 'unchecked');
    });
    return replicas;
  } finally {
    await service.stop();
  }
}

test('a peer that followed the same blocks agrees; one that is away is said to be', async () => {
  const dead = `http://127.0.0.1:${await findFreePort()}`;
  const height = await node.rpc<number>('getblockcount');
  const [same, away] = await compareWith([peer.origin, dead]);
  expect(same).toMatchObject({
    url: peer.origin,
    state: 'agrees',
    height,
    compared_height: height,
    first_difference: null,
    same_block: null,
  });
  expect(away).toMatchObject({ url: dead, state: 'unreachable', height: null });
});

test('a peer that follows other rules of the same coin is told as such, not as one that differs', async () => {
  const file = join(await makeFolder(), 'coin.json');
  const json = structuredClone(findShippedProfileJson(testCoin)) as {
    tokens: { create_fees: { fee: string }[] };
  };
  json.tokens.create_fees[0]!.fee = '1.00000001';
  await writeFile(file, JSON.stringify(json));
  const [other] = await compareWith([peer.origin], { COINFRONT_COIN: file });
  expect(other).toMatchObject({ state: 'other_rules', compared_height: null, first_difference: null });
  const ids = await Promise.all(
    ['/api/v1/tok', '/api/v1/proof', '/api/vns/v1'].map(
      async (path) => (await peer.get(`${path}/status`)).json.rules_id,
    ),
  );
  expect(ids).toEqual(
    (['tokens', 'proofs', 'names'] as const).map((protocol) => findRulesId(protocol, profile)),
  );
});

/** Changes the hashes of the peer behind its back. */
async function changePeer(text: string): Promise<void> {
  await peer.stop();
  const database = await openDatabase({ kind: 'sqlite', file: join(folders[0]!, 'chain.db') });
  const writer = await database.openWriter();
  await writer.run(sql(text));
  await writer.close();
  await database.close();
  await peer.start();
}

test('a peer with the same events and another state is found out, at the height whose state is hashed', {
  timeout: 400_000,
}, async () => {
  const set = (value: string) => `update token_hash set state = ${value} where height = 0`;
  const before = (await peer.get('/api/v1/tok/hashes/0')).json.state_hash;
  await changePeer(set('zeroblob(32)'));
  const [wrong] = await compareWith([peer.origin]);
  expect(wrong).toMatchObject({ state: 'differs', first_difference: 0, same_block: true });
  await changePeer(set(`x'${before}'`));
  expect(await compareWith([peer.origin])).toMatchObject([{ state: 'agrees', first_difference: null }]);
});

test('a peer whose hashes differ is found out, with the first height at which they do', async () => {
  const wrongFrom = (await node.rpc<number>('getblockcount')) - 6;
  await changePeer(`update token_hash set chain = zeroblob(32) where height >= ${wrongFrom}`);
  const [wrong] = await compareWith([peer.origin]);
  expect(wrong).toMatchObject({ state: 'differs', first_difference: wrongFrom, same_block: true });
});
