import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { auditIndex } from '../harness/index-audit.ts';
import { compareDumps, dumpIndex, type IndexDump } from '../harness/index-dump.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { auditMempool } from '../harness/mempool-audit.ts';
import { type OpenNode, prepareOpenNode } from '../harness/open-node.ts';
import { openScript } from '../harness/open-transactions.ts';
import { catchUp, openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';
import { type ForkBlock, scenarios } from './fork-scenarios.ts';

let node: TestNode;
let chain: OpenNode;
/** The rows are the same on both engines, so the faster one says what they have to be. */
let reference: DatabaseLocation & { kind: 'sqlite' };
let forks = 0;
let syncs = 0;

beforeAll(async () => {
  // A follower that is stopped leaves its long poll behind, which holds one of the node's threads to its end.
  node = await startNode({ extraArgs: ['-rpcthreads=100', '-checkblockindex=0'] });
  chain = await prepareOpenNode(node);
  reference = { kind: 'sqlite', dataDir: await mkdtemp(join(tmpdir(), 'coinfront-reference-')) };
});
afterAll(async () => {
  await node?.stop();
  if (reference) await rm(reference.dataDir, { recursive: true });
});

forEachEngine('an index after a reorg is that of a fresh sync, row for row', (engine) => {
  /** Stays open through all forks. */
  let steady: TestIndexer;
  /** Is opened anew after every commit. */
  let restarted: DatabaseLocation;

  beforeAll(async () => {
    steady = await openTestIndexer(await engine.openUrl());
    await catchUp(node.client, steady);
    restarted = await engine.openUrl();
    await syncFresh(restarted, RESTARTED);
  });
  afterAll(() => steady?.close());

  async function expectFreshIndex(batchTxs: number): Promise<void> {
    const expected = await syncFresh(reference, `reference ${++syncs}`);
    await catchUp(node.client, steady);
    expect(compareDumps(await dumpIndex(steady.database), expected)).toEqual([]);
    expect(listMempool(steady)).toEqual((await node.rpc<string[]>('getrawmempool')).sort());
    expect(await auditMempool(steady.readChain)).toEqual([]);
    await expectTruth(steady);
    expect(compareDumps(await catchUpByRestarts(restarted, batchTxs), expected)).toEqual([]);
  }

  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s, there and back',
    async (_, { coins, fork }) => {
      const firstScript = ++forks * 10_000;
      const { before, first, second } = fork(await chain.makeCoins(coins), (i) =>
        openScript(firstScript + i),
      );
      // A commit for each block, or a dozen of them where there are many.
      const batchTxs = first.length > 20 ? 25 : 1;
      await mine(before);
      const firstHashes = await mine(first);
      await catchUp(node.client, steady);
      await catchUpByRestarts(restarted, batchTxs);
      await node.rpc('invalidateblock', firstHashes[0]);
      const secondHashes = await mine(second);
      await expectFreshIndex(batchTxs);
      if (secondHashes.length > 0) await node.rpc('invalidateblock', secondHashes[0]);
      await node.rpc('reconsiderblock', firstHashes[0]);
      expect(await node.rpc('getbestblockhash')).toBe(firstHashes.at(-1));
      await expectFreshIndex(batchTxs);
    },
  );

  test('and everything in it follows from the raw transactions', async () => {
    expect(await auditIndex(steady.database, steady.readChain)).toEqual([]);
    const fresh = await syncFresh(await engine.openUrl(), 'fresh');
    expect(compareDumps(await dumpIndex(steady.database), fresh)).toEqual([]);
  });
});

const RESTARTED = 'restarted';

async function mine(blocks: readonly ForkBlock[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const { txs, miner } of blocks) hashes.push(await chain.mineBlock(txs, miner));
  return hashes;
}

/** Another identity makes the tables anew, which is faster than another database. */
async function syncFresh(location: DatabaseLocation, identity: string): Promise<IndexDump> {
  const indexer = await openTestIndexer(location, { identity });
  await catchUp(node.client, indexer);
  const dump = await dumpIndex(indexer.database);
  await indexer.close();
  return dump;
}

/** After each commit all that was in memory is gone. */
async function catchUpByRestarts(location: DatabaseLocation, batchTxs: number): Promise<IndexDump> {
  for (;;) {
    const indexer = await openTestIndexer(location, { identity: RESTARTED });
    const isDone = await catchUp(node.client, indexer, { batchTxs, batches: 1 });
    const dump = isDone ? await dumpIndex(indexer.database) : undefined;
    await indexer.close();
    if (dump) return dump;
  }
}

/** What the node itself counts. */
async function expectTruth({ index }: TestIndexer): Promise<void> {
  type Truth = { bestblock: string; txouts: number; total_amount: number };
  const truth = await node.rpc<Truth>('gettxoutsetinfo');
  const { hash, totals } = index.state;
  expect(toDisplayHash(hash)).toBe(truth.bestblock);
  expect(totals.utxos).toBe(truth.txouts);
  expect(totals.issued - totals.burned).toBe(BigInt(Math.round(truth.total_amount * 1e8)));
}

function listMempool({ mempool }: TestIndexer): string[] {
  return [...mempool.txids()].map((txid) => toDisplayHash(getHexBytes(txid))).sort();
}
