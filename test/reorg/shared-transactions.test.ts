import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../service/src/db/statement.ts';
import type { BlockFeed } from '../../service/src/indexer/feed/block-feed.ts';
import type { IndexerPart } from '../../service/src/indexer/parts/part.ts';
import { listIndexerParts } from '../../service/src/indexer-parts.ts';
import { NodeError } from '../../service/src/node/node-error.ts';
import { forEachEngine, type TestEngine } from '../harness/engines.ts';
import { expectFresh } from '../harness/fresh-index.ts';
import { dumpIndex } from '../harness/index-dump.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { testProfile } from '../harness/test-coin.ts';
import {
  catchUp,
  createDirectFeed,
  followLive,
  openTestIndexer,
  TEST_LIMITS,
  type TestIndexer,
} from '../harness/test-indexer.ts';

const NEVER_FULL = {
  ...TEST_LIMITS,
  freshBytes: Number.POSITIVE_INFINITY,
  sharedMs: Number.POSITIVE_INFINITY,
};
/** Nearer to the tip transactions are shared by fewer blocks, so that undoing has little to make anew. */
const HORIZON = 1;
const DROP_RUNS = sql('drop table run');

const TIP = 132;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(130);
  for (let i = 0; i < 10; i++) await node.rpc('sendtoaddress', await node.newAddress(), '0.1');
  await node.mine(2);
});
afterAll(() => node.stop());

async function open(
  engine: TestEngine,
  parts: readonly IndexerPart[] = listIndexerParts(testProfile),
): Promise<TestIndexer> {
  const indexer = await openTestIndexer(await engine.openUrl(), {
    limits: NEVER_FULL,
    parts,
    horizonBlocks: HORIZON,
  });
  onTestFinished(() => indexer.close());
  return indexer;
}

/** As a reader sees it. */
async function countBlocks({ database }: TestIndexer): Promise<number> {
  return (await dumpIndex(database)).block!.length;
}

/** The node's blocks, some transactions at a time. `onBatch` comes before each batch but the first. */
function createFeed({ database }: TestIndexer, onBatch: () => Promise<void>): BlockFeed {
  const direct = createDirectFeed(node.client, database);
  return {
    ...direct,
    async *batches(range) {
      let isFirst = true;
      for await (const batch of direct.batches(range)) {
        if (!isFirst) await onBatch();
        isFirst = false;
        yield batch;
      }
    },
  };
}

forEachEngine('batches that share a transaction of the database', (engine) => {
  test('are nothing to a reader until all are there', async () => {
    const indexer = await open(engine);
    const seen = new Set<number>();
    const feed = createFeed(indexer, async () => {
      seen.add(await countBlocks(indexer));
    });
    expect(await catchUp(node.client, indexer, { batchTxs: 20, feed })).toBe(true);
    expect([...seen]).toEqual([0]);
    await expectFresh(node, indexer, engine, { undoFrom: TIP, horizonBlocks: HORIZON });
  });

  test('are kept when the node goes away between them', async () => {
    const indexer = await open(engine);
    let batches = 0;
    const feed = createFeed(indexer, async () => {
      if (++batches === 4) throw new NodeError('unreachable', 'The node went away.');
    });
    await expect(catchUp(node.client, indexer, { batchTxs: 20, feed })).rejects.toThrow('node_unavailable');
    expect(await countBlocks(indexer)).toBe(indexer.index.state.height + 1);
    expect(indexer.index.state.height).toBeGreaterThan(60);
    expect(await catchUp(node.client, indexer, { batchTxs: 20 })).toBe(true);
    await expectFresh(node, indexer, engine, { undoFrom: TIP, horizonBlocks: HORIZON });
  });

  test('are kept up to the one that fails, when it fails again', async () => {
    let failsAt = 100;
    const faulty: IndexerPart = {
      name: 'faulty',
      version: 1,
      tables: [],
      connectBlock({ height }) {
        if (height === failsAt) throw new Error('This block cannot be connected.');
      },
    };
    const parts = [...listIndexerParts(testProfile), faulty];
    const indexer = await open(engine, parts);
    const follower = followLive(node.client, indexer, { batchTxs: 1 });
    await waitUntil('all below it is there', async () => (await countBlocks(indexer)) === failsAt);
    failsAt = Number.POSITIVE_INFINITY;
    await follower.waitForTip(await node.rpc('getbestblockhash'));
    await follower.stop();
    await expectFresh(node, indexer, engine, { parts, undoFrom: TIP, horizonBlocks: HORIZON });
  });

  test('are all undone when their end fails, and can be done again', async () => {
    const indexer = await open(engine);
    let batches = 0;
    const feed = createFeed(indexer, async () => {
      if (++batches < 4) return;
      // Comes back with the rollback, as it is part of the transaction.
      await indexer.writer.run(DROP_RUNS);
      throw new NodeError('unreachable', 'The node went away.');
    });
    await expect(catchUp(node.client, indexer, { batchTxs: 20, feed })).rejects.toThrow(/\brun\b/);
    expect(indexer.index.state.height).toBe(-1);
    expect(await countBlocks(indexer)).toBe(0);
    expect(await catchUp(node.client, indexer, { batchTxs: 20 })).toBe(true);
    await expectFresh(node, indexer, engine, { undoFrom: TIP, horizonBlocks: HORIZON });
  });
});
