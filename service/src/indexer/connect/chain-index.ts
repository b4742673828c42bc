import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader, Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { FetchedBlock } from '../feed/fetched-block.ts';
import type { PreparedBatch } from '../feed/prepare-batch.ts';
import { blockTable } from '../layout.ts';
import type { Mempool } from '../mempool/mempool.ts';
import type { IndexerPart } from '../parts/part.ts';
import { createPartStore } from '../parts/part-store.ts';
import type { Revision } from '../revision.ts';
import { createFreshEntries } from '../runs/fresh-entries.ts';
import type { RunStore } from '../runs/run-store.ts';
import { nowhere } from '../runs/run-target.ts';
import type { ChainState } from './chain-state.ts';
import { connectBlocks } from './connect.ts';
import { createConnectedBlock } from './connected-block.ts';
import { loadChainState } from './load-state.ts';
import { loadLowestFork, saveLowestFork } from './lowest-fork.ts';
import { createPrevoutScripts } from './prevout-scripts.ts';
import { listUnminedTxs } from './returning-txs.ts';
import { rememberStaleBlocks } from './stale-blocks.ts';

export type IndexLimits = {
  /** Steps that go on share a transaction of the database until what they add to the indexes has so many bytes, or took so long. */
  readonly freshBytes: number;
  readonly sharedMs: number;
  /** Entries that a slice of merging goes on by: a new block that comes meanwhile waits for a few of them. */
  readonly mergedAtOnce: number;
  /** Files of runs that were merged stay so long for those who read them. */
  readonly fileGraceMs: number;
  /** Merges of files with so many entries and more are another thread's. */
  readonly threadEntries: number;
  /** Files of transactions get no more when they have so many bytes. */
  readonly segmentBytes: number;
};

/**
 * About 280,000 transactions. It bounds memory, and what the preparation of batches has to remember; smaller runs are merged once
 * more.
 */
export const INDEX_LIMITS: IndexLimits = {
  freshBytes: 88 << 20,
  sharedMs: 5_000,
  mergedAtOnce: 2_500,
  fileGraceMs: 60_000,
  threadEntries: 300_000,
  segmentBytes: 2 ** 30,
};
/**
 * In a first sync merging keeps pace with what is added: with each step, every merge goes on by so many times its entries. All at
 * once would leave the feed's thread without room for what comes next, and this one without work afterwards.
 */
const MERGE_PACE = 1.5;

/** A step of the best chain: blocks that go and blocks that come, applied in one transaction, which others may share. */
export type ChainStep = {
  /** Height of the lowest block that leaves the best chain; undefined when none does. */
  disconnectFrom: number | undefined;
  /** What follows; undefined only when blocks are disconnected. */
  batch: PreparedBatch | undefined;
  /** Height of the node's tip: how deep a block is decides whether it may ever have to be undone. */
  nodeHeight: number;
  /** Another step follows at once: this one may wait for it, to be committed with it or by {@link ChainIndex.commit}. */
  goesOn?: boolean;
};

/** The chain index behind its writer. */
export type ChainIndex = {
  /** After the last step, committed or not. */
  readonly state: ChainState;
  /** Height of the lowest block that may stay when blocks are disconnected: see `lowest-fork.ts`. */
  readonly lowestFork: number;
  /** Number of the first output of the block at a height, or of the one that would be connected there. */
  findFirstOutput(height: number): Promise<number>;
  /**
   * Applies a step. When it throws nothing is changed since the last commit, and `state` is what it was then.
   * @throws RangeError when it would disconnect {@link ChainIndex.lowestFork}
   */
  apply(step: ChainStep): Promise<void>;
  /** Puts blocks in order that it has, and lets go of it: code that has not run since the start takes several times as long. */
  rehearse(batch: PreparedBatch): void;
  /** Commits the steps that are not committed yet. When it throws they are undone. */
  commit(): Promise<void>;
  /**
   * Merges runs, which nobody has to wait for, in small transactions of their own, until nothing is left to do or `isDue` says that
   * something else is. What was committed stays also when it throws.
   */
  tidy(isDue: () => boolean): Promise<void>;
};

/** A transaction of the database under way. */
type OpenTransaction = {
  readonly before: { state: ChainState; lowestFork: number };
  readonly beganMs: number;
  /** Bytes that it has made runs of. */
  writtenBytes: number;
};

const FIND_BLOCK = sql<{ first_tx_id: number }>('select first_tx_id from block where height = $1');
const DELETE_BLOCKS = sql('delete from block where height >= $1');

/**
 * Opens the index on a writer.
 *
 * @param options.horizonBlocks the deepest reorg that parts' state can undo
 */
export async function openChainIndex(options: {
  writer: Writer;
  parts: readonly IndexerPart[];
  mempool: Mempool;
  revision: Revision;
  runs: RunStore;
  horizonBlocks: number;
  limits: IndexLimits;
}): Promise<ChainIndex> {
  const { writer, parts, mempool, revision, runs, horizonBlocks, limits } = options;
  const partStore = createPartStore(writer, parts);
  let state = await loadChainState(writer);
  let lowestFork = await loadLowestFork(writer);
  /** What the blocks after those of the last run add; where the first of them begins. */
  const fresh = createFreshEntries();
  let freshFrom = { height: state.height + 1, output: state.totals.outputs, txs: state.totals.txs };
  let nodeHeight = state.height;
  let open: OpenTransaction | undefined;

  const findFirstOutput = async (height: number): Promise<number> =>
    height > state.height
      ? state.totals.outputs
      : ((await findFirstTxId(writer, height)) ?? state.totals.outputs);

  const beginFresh = (): void => {
    freshFrom = { height: state.height + 1, output: state.totals.outputs, txs: state.totals.txs };
  };

  const begin = async (): Promise<OpenTransaction> => {
    await runs.load();
    await writer.begin();
    return { before: { state, lowestFork }, beganMs: performance.now(), writtenBytes: 0 };
  };

  const disconnect = async (height: number, replacement: readonly FetchedBlock[]): Promise<void> => {
    const maySpend = mempool.isEmpty ? undefined : mempool.maySpend;
    const unmined = await listUnminedTxs(writer, runs.set, height, replacement, maySpend);
    const firstOutput = await findFirstOutput(height);
    await rememberStaleBlocks(writer, height, Date.now());
    await partStore.disconnect(height, firstOutput);
    const firstKept = await runs.cut(height, firstOutput, fresh);
    await writer.run(DELETE_BLOCKS, [height]);
    state = await loadChainState(writer);
    beginFresh();
    if (firstKept !== undefined) {
      const txs = firstKept === 0 ? 0 : await getTotalTxs(writer, firstKept - 1);
      freshFrom = { height: firstKept, output: await findFirstOutput(firstKept), txs };
    }
    // With the same commit, so that no reader sees the chain without them: the node has them in its mempool, too.
    await mempool.takeBack(unmined, Date.now());
  };

  const connect = async (batch: PreparedBatch, goesOn: boolean): Promise<void> => {
    const firstOutput = state.totals.outputs;
    const connected = connectBlocks(batch, state, fresh);
    const { block, pages } = connected.rows;
    await writer.insert(blockTable, block[0]!.length, block);
    await runs.addTxPages(pages);
    if (!goesOn) runs.syncAhead();
    const prevouts = createPrevoutScripts(batch, firstOutput, writer, runs.set);
    const place = { firstInput: 0, firstOutput: 0, firstOutputId: firstOutput, prevouts };
    for (const [i, block] of batch.blocks.entries()) {
      const view = createConnectedBlock(block, connected.times[i]!, { ...place });
      const partWriter = partStore.forBlock(block.height, block.height > nodeHeight - horizonBlocks);
      for (const part of parts) await part.connectBlock(view, partWriter);
      place.firstInput += block.scan.inputCount;
      place.firstOutput += block.scan.outputCount;
    }
    await partStore.flush(goesOn);
    await partStore.prune(connected.state.height - horizonBlocks + 1);
    state = connected.state;
  };

  const applyWithin = async ({ disconnectFrom, batch, goesOn = false }: ChainStep): Promise<void> => {
    const blocks = batch?.blocks ?? [];
    if (disconnectFrom !== undefined) await disconnect(disconnectFrom, blocks);
    if (batch && batch.firstOutput !== state.totals.outputs)
      throw new Error(`blocks were prepared for output ${batch.firstOutput}, not ${state.totals.outputs}`);
    const { entries } = fresh;
    if (batch) await connect(batch, goesOn);
    if (goesOn) await runs.merge(nodeHeight, Math.ceil((fresh.entries - entries) * MERGE_PACE));
    // Deeper blocks of the tip lost their undo rows, or never got any.
    const lowestAfter = Math.max(
      lowestFork,
      state.height - horizonBlocks,
      Math.min(state.height, nodeHeight - horizonBlocks),
    );
    if (lowestAfter !== lowestFork) await saveLowestFork(writer, lowestAfter);
    lowestFork = lowestAfter;
    await mempool.removeMined(blocks, Date.now());
  };

  /** Makes a run of what is fresh. */
  const flush = async (transaction: OpenTransaction): Promise<void> => {
    if (fresh.isEmpty) return;
    transaction.writtenBytes += fresh.bytes;
    await runs.write(fresh, {
      firstHeight: freshFrom.height,
      lastHeight: state.height,
      firstOutput: freshFrom.output,
      endOutput: state.totals.outputs,
      txs: state.totals.txs - freshFrom.txs,
    });
    beginFresh();
  };

  /** Runs a part of the open transaction; when that fails all of it is undone. */
  const attempt = async (transaction: OpenTransaction, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      open = undefined;
      ({ state, lowestFork } = transaction.before);
      fresh.clear();
      beginFresh();
      partStore.reset();
      await writer.rollback();
      await runs.reload();
      await mempool.reload();
      throw error;
    }
  };

  const commit = async (): Promise<void> => {
    const transaction = open;
    if (!transaction) return;
    await attempt(transaction, async () => {
      await partStore.flush();
      await flush(transaction);
      await mempool.writeReturned(Date.now());
      await revision.bump();
      await writer.commit();
      open = undefined;
    });
    runs.committed();
  };

  /**
   * Blocks that were disconnected are replaced first, however long that takes, unless it is more than the preparation of batches
   * remembers.
   */
  const isLarge = ({ before, beganMs, writtenBytes }: OpenTransaction): boolean =>
    writtenBytes + fresh.bytes >= limits.freshBytes ||
    (state.height > before.state.height &&
      (performance.now() - beganMs >= limits.sharedMs || isLong(freshFrom.height, state.height)));

  /** Undoing cuts a run: near the tip it has at most a quarter as many blocks as lie above it. */
  const isLong = (first: number, last: number): boolean =>
    nodeHeight - last < horizonBlocks && last - first + 1 >= (nodeHeight - last) / 4;

  return {
    get state() {
      return state;
    },
    get lowestFork() {
      return lowestFork;
    },
    findFirstOutput,
    async apply(step) {
      const { disconnectFrom, goesOn = false } = step;
      if (disconnectFrom !== undefined) await commit();
      if (disconnectFrom !== undefined && disconnectFrom <= lowestFork)
        throw new RangeError(
          `block ${disconnectFrom} cannot be disconnected, only those above ${lowestFork}`,
        );
      nodeHeight = step.nodeHeight;
      const transaction = open ?? (await begin());
      open = transaction;
      await attempt(transaction, () => applyWithin(step));
      if (!goesOn || isLarge(transaction)) await commit();
      else if (isLong(freshFrom.height, state.height)) await attempt(transaction, () => flush(transaction));
    },
    rehearse(batch) {
      const entries = createFreshEntries();
      const before = { ...state, totals: { ...state.totals, outputs: batch.firstOutput } };
      connectBlocks(batch, before, entries);
      entries.build(nowhere);
    },
    commit,
    async tidy(isDue) {
      await commit();
      while (runs.hasWork(nodeHeight) && !isDue()) {
        open = await begin();
        await attempt(open, async () => {
          await runs.merge(nodeHeight, limits.mergedAtOnce);
          // The revision stays: all that can be read is as it was.
          await writer.commit();
          open = undefined;
        });
        runs.committed();
        // On SQLite nothing else is waited for, and only the event loop tells of a new block.
        await nextTurn();
      }
    },
  };
}

/** The number of the first transaction of a block; undefined above the tip. */
async function findFirstTxId(reader: Reader, height: number): Promise<number | undefined> {
  return (await reader.get(FIND_BLOCK, [height]))?.first_tx_id;
}

const GET_TOTAL_TXS = sql<{ total_txs: number }>('select total_txs from block where height = $1');

async function getTotalTxs(reader: Reader, height: number): Promise<number> {
  return (await reader.get(GET_TOTAL_TXS, [height]))!.total_txs;
}
