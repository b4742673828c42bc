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
import { connectToLedger, profile, signRandomOperation, tokenContext } from '../tokens/token-traffic.ts';

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

const STATUSES = { tokens: '/api/v1/tok', proofs: '/api/v1/proof', names: '/api/vns/v1' };
type Protocol = keyof typeof STATUSES;
const protocols = Object.keys(STATUSES) as Protocol[];
type Replicas = Record<Protocol, Record<string, unknown>[]>;

/** What a fresh service says of its peers, in each protocol, once it has asked them; and its metrics of them. */
async function compareWith(peers: readonly string[], settings: Record<string, string> = {}) {
  const metricsPort = await findFreePort();
  const service = await startService({
    nodeUrl: node.url,
    database: { kind: 'sqlite', dataDir: await makeFolder() },
    settings: {
      COINFRONT_PEERS: peers.join(','),
      COINFRONT_METRICS_LISTEN: `127.0.0.1:${metricsPort}`,
      ...settings,
    },
    waitFor: 'answer',
  });
  try {
    await service.waitForTip();
    const replicas: Replicas = { tokens: [], proofs: [], names: [] };
    // The first look may come before the first block: it is asked again when the service is started anew.
    await service.stop();
    await service.start();
    await waitUntil('every peer was asked', async () => {
      for (const protocol of protocols)
        replicas[protocol] = (await service.get(`${STATUSES[protocol]}/status`)).json?.replicas ?? [];
      return protocols.every((protocol) => {
        const known = replicas[protocol];
        return known.length === peers.length && known.every(({ state }) => state !== 'unchecked');
      });
    });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return { ...replicas, metrics: metrics.split('\n').filter((line) => line.includes('_peer_agrees{')) };
  } finally {
    await service.stop();
  }
}

test('a peer that followed the same blocks agrees; one that is away is said to be', async () => {
  const dead = `http://127.0.0.1:${await findFreePort()}`;
  const height = await node.rpc<number>('getblockcount');
  const { metrics, ...replicas } = await compareWith([peer.origin, dead]);
  for (const protocol of protocols) {
    const [same, away] = replicas[protocol];
    expect(same).toMatchObject({
      url: peer.origin,
      state: 'agrees',
      height,
      compared_height: height,
      first_difference: null,
      same_block: null,
    });
    expect(away).toMatchObject({ url: dead, state: 'unreachable', height: null });
  }
  expect(metrics.sort()).toEqual(
    ['name', 'proof', 'token'].map((each) => `coinfront_${each}_peer_agrees{peer="${peer.origin}"} 1`),
  );
});

test('a peer that follows other rules of the same coin is told as such, not as one that differs', async () => {
  const file = join(await makeFolder(), 'coin.json');
  const json = structuredClone(findShippedProfileJson(testCoin)) as {
    tokens: { create_fees: { fee: string }[] };
  };
  json.tokens.create_fees[0]!.fee = '1.00000001';
  await writeFile(file, JSON.stringify(json));
  // As its setting was called before.
  const { tokens, names, proofs, metrics } = await compareWith([peer.origin], {
    COINFRONT_COIN: file,
    COINFRONT_PEERS: '',
    COINFRONT_TOKEN_PEERS: peer.origin,
  });
  expect(tokens).toMatchObject([{ state: 'other_rules', compared_height: null, first_difference: null }]);
  expect([...names, ...proofs]).toMatchObject([{ state: 'agrees' }, { state: 'agrees' }]);
  expect(metrics.some((line) => line.includes('_token_'))).toBe(false);
  for (const protocol of protocols) {
    const wanted = { rules_id: findRulesId(protocol, profile) };
    expect((await peer.get(`${STATUSES[protocol]}/status`)).json).toMatchObject(wanted);
    expect((await peer.get(`${STATUSES[protocol]}/hashes/5`)).json).toMatchObject(wanted);
  }
});

/** Changes the hashes of the peer behind its back. */
async function changePeer(...texts: string[]): Promise<void> {
  await peer.stop();
  const database = await openDatabase({ kind: 'sqlite', file: join(folders[0]!, 'chain.db') });
  const writer = await database.openWriter();
  for (const text of texts) await writer.run(sql(text));
  await writer.close();
  await database.close();
  await peer.start();
}

const tables: [Protocol, string][] = [
  ['tokens', 'token_hash'],
  ['proofs', 'proof_hash'],
  ['names', 'name_hash'],
];

test('a peer with the same events and another state is found out, at the height whose state is hashed', {
  timeout: 240_000,
}, async () => {
  const before = await Promise.all(
    tables.map(async ([protocol]) => (await peer.get(`${STATUSES[protocol]}/hashes/0`)).json.state_hash),
  );
  await changePeer(...tables.map(([, name]) => `update ${name} set state = zeroblob(32) where height = 0`));
  const wrong = await compareWith([peer.origin]);
  for (const protocol of protocols)
    expect(wrong[protocol]).toMatchObject([{ state: 'differs', first_difference: 0, same_block: true }]);
  await changePeer(
    ...tables.map(([, name], i) => `update ${name} set state = x'${before[i]}' where height = 0`),
  );
  const right = await compareWith([peer.origin]);
  for (const protocol of protocols)
    expect(right[protocol]).toMatchObject([{ state: 'agrees', first_difference: null }]);
});

test('a peer whose hashes differ is found out, with the first height at which they do', async () => {
  const tip = await node.rpc<number>('getblockcount');
  const wrongFrom = tables.map((_, i) => tip - 6 - i);
  await changePeer(
    ...tables.map(([, name], i) => `update ${name} set chain = zeroblob(32) where height >= ${wrongFrom[i]}`),
  );
  const { metrics, ...wrong } = await compareWith([peer.origin]);
  for (const [i, [protocol]] of tables.entries())
    expect(wrong[protocol]).toMatchObject([
      { state: 'differs', first_difference: wrongFrom[i], same_block: true },
    ]);
  expect(metrics.map((line) => line.split(' ')[1])).toEqual(['0', '0', '0']);
});
