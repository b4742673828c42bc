import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TxRecord } from '../../service/src/chain/chain-view.ts';
import { createReadChain } from '../../service/src/chain/read-chain.ts';
import type { DiskPace } from '../../service/src/indexer/disk/disk-pace.ts';
import { type ByteFetcher, poolFetcher } from '../../service/src/indexer/disk/fetch-bytes.ts';
import { createFetchThreads } from '../../service/src/indexer/disk/fetch-threads.ts';
import { createPrevoutFinder } from '../../service/src/indexer/feed/find-prevouts.ts';
import { createBatchPreparer } from '../../service/src/indexer/feed/prepare-batch.ts';
import { historyRuns } from '../../service/src/indexer/runs/run-kinds.ts';
import { coinbasePayouts } from '../../service/src/parts/chain/coinbase-payouts.ts';
import { damageRuns } from '../harness/damage.ts';
import { auditIndex } from '../harness/index-audit.ts';
import { nextSnapshot } from '../harness/index-dump.ts';
import { openTestIndexer, TEST_LIMITS, type TestIndexer } from '../harness/test-indexer.ts';
import { blockPlanArbitrary, buildBlock, type SyntheticBlock } from './synthetic-chain.ts';

/** Where the disk is slow, pages are brought to memory by other threads before they are read: the answers are the same. */

/** A disk that is slow all the time, and what is read of it without having been fetched. */
function slowDisk(fetcher: ByteFetcher = poolFetcher): { pace: DiskPace; fetched: number; waited: number } {
  let isFetched = false;
  const disk = {
    fetched: 0,
    waited: 0,
    pace: {
      isSlow: true,
      fetch: async (...stretch: Parameters<ByteFetcher['fetch']>) => void (await fetcher.fetch(...stretch)),
      takesSample: () => false,
      timed<T>(_: number, read: () => T): T {
        if (isFetched) disk.fetched++;
        else disk.waited++;
        return read();
      },
      untimed<T>(read: () => T): T {
        isFetched = true;
        try {
          return read();
        } finally {
          isFetched = false;
        }
      },
    },
  };
  return disk;
}

const BLOCKS = 60;
let dataDir: string;
let indexer: TestIndexer;
const chain: SyntheticBlock[] = [];

beforeAll(async () => {
  const plans = fc.sample(blockPlanArbitrary({ minLength: 20, maxLength: 30 }), {
    numRuns: BLOCKS,
    seed: 11,
  });
  for (const [i, plan] of plans.entries()) chain.push(buildBlock(chain.at(-1), plan, i + 1));
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-slow-disk-'));
  const limits = { ...TEST_LIMITS, mergedAtOnce: 300, fileGraceMs: 0 };
  indexer = await openTestIndexer(
    { kind: 'sqlite', dataDir },
    { parts: [coinbasePayouts], horizonBlocks: 10, limits },
  );
  for (const [height, { fetched }] of chain.entries()) {
    const batch = await indexer.prepare([fetched]);
    await indexer.index.apply({ disconnectFrom: undefined, batch, nodeHeight: height });
  }
});
afterAll(async () => {
  await indexer.close();
  await rm(dataDir, { recursive: true });
});

test.each([
  { name: "Node's pool", fetcher: poolFetcher },
  { name: 'threads of their own', fetcher: createFetchThreads() },
])('all answers are those of a fast disk, and none waits for the disk: $name fetch', async ({ fetcher }) => {
  const disk = slowDisk(fetcher);
  expect(await auditIndex(indexer.database, createReadChain(indexer.database, { pace: disk.pace }))).toEqual(
    [],
  );
  expect(disk.fetched).toBeGreaterThan(1_000);
  expect(disk.waited).toBe(0);
});

test('many who wait for pages at once are all answered, with no more snapshots than there may be', async () => {
  const readChain = createReadChain(indexer.database, { pace: slowDisk().pace });
  const { txid } = chain.at(-1)!.coins[0]!;
  const asked: Promise<TxRecord | undefined>[] = [];
  for (let turn = 0; turn < 100; turn++) {
    asked.push(readChain((view) => view.findTx(txid)));
    await nextSnapshot();
  }
  for (const found of await Promise.all(asked)) expect(Buffer.compare(found!.txid, txid)).toBe(0);
});

test('what blocks spend is found as on a fast disk', async () => {
  const disk = slowDisk();
  const finders = [createPrevoutFinder(indexer.database, disk.pace), createPrevoutFinder(indexer.database)];
  const spent = finders.map(async (find) => {
    // It remembers next to nothing, so that nearly all is looked up.
    const preparer = createBatchPreparer({ ...TEST_LIMITS, recentTxs: 1, recentOutputs: 1 });
    const first = await indexer.index.findFirstOutput(BLOCKS - 20);
    for (const { fetched } of chain.slice(BLOCKS - 20)) preparer.add(fetched, first);
    await nextSnapshot();
    await preparer.resolve(find);
    const { spentOutput, spentValue, spentKeys } = preparer.take()!;
    return { spentOutput, spentValue, spentKeys };
  });
  const [slow, fast] = await Promise.all(spent);
  expect(slow).toEqual(fast);
  expect(disk.fetched).toBeGreaterThan(100);
});

test('a page that is damaged is told of as on a fast disk', async () => {
  const { txid, vout } = chain.at(-1)!.coins[0]!;
  const output = await indexer.readChain((view) => view.findOutput(txid, vout));
  damageRuns(historyRuns.code, 'pages')(join(dataDir, 'chain.db'));
  const readChain = createReadChain(indexer.database, { pace: slowDisk().pace });
  await expect(readChain((view) => view.getScriptStats(output!.script))).rejects.toMatchObject({
    name: 'DatabaseDamagedError',
    message: expect.stringContaining('delete the index to have it rebuilt'),
  });
});
