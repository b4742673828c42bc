import { join } from 'node:path';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { ReadChain } from '../../service/src/chain/chain-view.ts';
import { createReadChain } from '../../service/src/chain/read-chain.ts';
import type { Database, DatabaseLocation, Writer } from '../../service/src/db/database.ts';
import { openDatabase } from '../../service/src/db/open.ts';
import type { ChainIndex, IndexLimits } from '../../service/src/indexer/connect/chain-index.ts';
import { sha256 } from '../../service/src/indexer/encoding/hashes.ts';
import type { BlockFeed } from '../../service/src/indexer/feed/block-feed.ts';
import type { FetchedBlock } from '../../service/src/indexer/feed/fetched-block.ts';
import { createPrevoutFinder } from '../../service/src/indexer/feed/find-prevouts.ts';
import { createForeseenMemory } from '../../service/src/indexer/feed/foreseen-prevouts.ts';
import {
  createBatchPreparer,
  type PreparedBatch,
  type PreparerLimits,
} from '../../service/src/indexer/feed/prepare-batch.ts';
import { type FollowReport, type FollowState, followNode } from '../../service/src/indexer/follow/follow.ts';
import { identifyIndex } from '../../service/src/indexer/identity.ts';
import type { Mempool } from '../../service/src/indexer/mempool/mempool.ts';
import { openIndex } from '../../service/src/indexer/open-index.ts';
import type { IndexerPart } from '../../service/src/indexer/parts/part.ts';
import { listIndexerParts } from '../../service/src/indexer-parts.ts';
import { createBlockSource } from '../../service/src/node/block-source.ts';
import { prefetchBlocks } from '../../service/src/node/prefetch-blocks.ts';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';
import type { DatabaseLocation as EngineLocation } from './engines.ts';
import { nextSnapshot } from './index-dump.ts';
import { waitUntil } from './litecoind.ts';
import { testProfile } from './test-coin.ts';

/** The pieces of the indexer, wired as its thread wires them, in this process and with whatever limits a test wants. */
export type TestIndexer = {
  readonly database: Database;
  readonly writer: Writer;
  readonly index: ChainIndex;
  readonly mempool: Mempool;
  /** One for as long as the index is open, as the API has it. */
  readonly readChain: ReadChain;
  /** Makes blocks ready that follow one another. What it remembers lives as long as the index, as in the feed. */
  prepare(blocks: readonly FetchedBlock[]): Promise<PreparedBatch | undefined>;
  close(): Promise<void>;
};

export type TestIndexerOptions = {
  parts?: readonly IndexerPart[];
  horizonBlocks?: number;
  /** The service's own when not given; another value makes the tables anew. */
  identity?: string;
  limits?: TestLimits;
};

/** What is held before a commit, and what the preparation of batches remembers. */
export type TestLimits = IndexLimits & PreparerLimits;

export const TEST_LIMITS: TestLimits = {
  recentTxs: 1 << 10,
  recentOutputs: 1 << 11,
  inputsAtOnce: 50,
  // So few that a test's chain is committed in many parts, and merged all the time.
  freshBytes: 30_000,
  sharedMs: 1_000,
  mergedAtOnce: 500,
  fileGraceMs: 60_000,
  threadEntries: 300_000,
  segmentBytes: 20_000,
};

export const TEST_HORIZON = 1_000;

/** Opens the index of a database, making its tables when they are not there. The caller closes it. */
export async function openTestIndexer(
  location: EngineLocation,
  options: TestIndexerOptions = {},
): Promise<TestIndexer> {
  const parts = options.parts ?? listIndexerParts(testProfile);
  const limits = options.limits ?? TEST_LIMITS;
  const database = await openDatabase(toServiceLocation(location));
  const writer = await database.openWriter({ cacheMb: 16, isUntold: true });
  const foreseen = createForeseenMemory(createPrevoutFinder(database));
  const { index, mempool } = await openIndex({
    writer,
    engine: database.engine,
    parts,
    identity: options.identity ?? identifyIndex(testProfile.genesisHash, parts),
    horizonBlocks: options.horizonBlocks ?? TEST_HORIZON,
    limits,
    foresee: foreseen.add,
  });
  const preparer = createBatchPreparer(limits);
  return {
    database,
    writer,
    index,
    mempool,
    readChain: createReadChain(database),
    async prepare(blocks) {
      const first = blocks[0] && (await index.findFirstOutput(blocks[0].height));
      if (first !== undefined) foreseen.beginAt(first);
      for (const block of blocks) preparer.add(block, first);
      await nextSnapshot();
      await preparer.resolve(foreseen.find);
      return preparer.take();
    },
    async close() {
      await writer.close();
      await database.close();
    },
  };
}

/** Where the service keeps a database of the harness. */
export function toServiceLocation(location: EngineLocation): DatabaseLocation {
  return location.kind === 'sqlite' ? { kind: 'sqlite', file: join(location.dataDir, 'chain.db') } : location;
}

/** What a follower needs of an index. */
type Followed = Pick<TestIndexer, 'database' | 'index' | 'writer' | 'mempool'>;

export type CatchUpOptions = {
  /** A batch ends when it has this many transactions. */
  batchTxs?: number;
  /** Stops after so many batches, wherever that is, and commits them. */
  batches?: number;
  horizonBlocks?: number;
  feed?: BlockFeed;
};

/**
 * Follows the node until the index is at its tip and has its mempool, or until so many batches are done.
 *
 * @returns whether all was reached
 * @throws Error when the follower reports anything but progress
 */
export async function catchUp(
  node: NodeClient,
  indexer: Followed,
  options: CatchUpOptions = {},
): Promise<boolean> {
  let batches = 0;
  let isReady = false;
  let problem: FollowState | undefined;
  const follower = follow(node, indexer, {
    ...options,
    onBatch: () => batches++,
    onReport({ state, mempoolComplete }) {
      if (state.kind === 'ready') isReady = mempoolComplete;
      else if (state.kind !== 'starting' && state.kind !== 'syncing') problem = state;
      if (isReady || problem || batches === options.batches) follower.abort();
    },
  });
  await follower.ended;
  if (problem) throw new Error(`the follower says ${JSON.stringify(problem)}`);
  return isReady;
}

/** A follower at work. */
export type LiveFollower = {
  /** Waits until the index is at this block and has the node's mempool. */
  waitForTip(hash: string): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Follows the node until it is stopped, whatever the node does.
 *
 * @param options.beforeCommit holds up each step of the chain until it resolves; each is committed by itself then
 */
export function followLive(
  node: NodeClient,
  indexer: Followed,
  options: { batchTxs?: number; beforeCommit?: () => Promise<void> } = {},
): LiveFollower {
  let last: FollowReport | undefined;
  const index = options.beforeCommit ? holdCommits(indexer.index, options.beforeCommit) : indexer.index;
  const follower = follow(
    node,
    { ...indexer, index },
    {
      ...options,
      onBatch() {},
      onReport: (report) => {
        last = report;
      },
    },
  );
  const failed = follower.ended.then(() => {
    throw new Error('the follower has ended');
  });
  failed.catch(() => {});
  return {
    async waitForTip(hash) {
      const isThere = () =>
        last?.state.kind === 'ready' &&
        last.mempoolComplete &&
        toDisplayHash(indexer.index.state.hash) === hash;
      await Promise.race([failed, waitUntil(`the index is at ${hash}`, isThere)]);
    },
    async stop() {
      follower.abort();
      await follower.ended;
    },
  };
}

function holdCommits(index: ChainIndex, beforeCommit: () => Promise<void>): ChainIndex {
  return {
    get state() {
      return index.state;
    },
    get lowestFork() {
      return index.lowestFork;
    },
    async apply(step) {
      await beforeCommit();
      await index.apply({ ...step, goesOn: false });
    },
    rehearse: (batch) => index.rehearse(batch),
    commit: () => index.commit(),
    findFirstOutput: (height) => index.findFirstOutput(height),
    tidy: (isDue) => index.tidy(isDue),
  };
}

/** Runs the follower; `onBatch` comes before the report that follows a batch. */
function follow(
  node: NodeClient,
  { database, index, writer, mempool }: Followed,
  options: CatchUpOptions & { onBatch: () => void; onReport: (report: FollowReport) => void },
): { abort(): void; ended: Promise<void> } {
  const stopping = new AbortController();
  let tip = index.state.hash;
  const ended = followNode({
    node,
    reader: writer,
    feed: options.feed ?? createDirectFeed(node, database),
    index,
    mempool,
    rules: { genesisHash: testProfile.genesisHash, horizonBlocks: options.horizonBlocks ?? TEST_HORIZON },
    batch: { bytes: Number.POSITIVE_INFINITY, txs: options.batchTxs ?? Number.POSITIVE_INFINITY },
    onReport(report) {
      if (index.state.hash !== tip) options.onBatch();
      tip = index.state.hash;
      options.onReport(report);
    },
    signal: stopping.signal,
  });
  return { abort: () => stopping.abort(), ended };
}

/** A feed without a thread of its own. */
export function createDirectFeed(node: NodeClient, database: Database): BlockFeed {
  const source = createBlockSource(node);
  const preparer = createBatchPreparer(TEST_LIMITS);
  const findPrevouts = createPrevoutFinder(database);
  const take = async (): Promise<PreparedBatch | undefined> => {
    await nextSnapshot();
    await preparer.resolve(findPrevouts);
    return preparer.take();
  };
  return {
    async *batches({ fromHeight, toHeight, firstOutput, most }) {
      await take();
      for await (const { height, hash, bytes } of prefetchBlocks(source, { fromHeight, toHeight })) {
        const scan = getValue(scanBlock(bytes, { auxpow: testProfile.auxpow, sha256 }));
        const block = { height, hash: getValue(parseDisplayHash(hash)), scan };
        if (height > fromHeight && !preparer.isNext(block)) break;
        preparer.add(block, firstOutput);
        const batch = preparer.size.txs >= most.txs ? await take() : undefined;
        if (batch) yield batch;
      }
      const rest = await take();
      if (rest) yield rest;
    },
    async *remember() {},
    foresee() {},
    async close() {},
  };
}
