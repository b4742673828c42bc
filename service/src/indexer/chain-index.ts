import type { Writer } from '../db/database.ts';
import { createAdditions } from './additions.ts';
import { writeBatch } from './batch-rows.ts';
import type { ChainState } from './chain-state.ts';
import { connectBlocks } from './connect.ts';
import { createConnectedBlock } from './connected-block.ts';
import { disconnectBlocks, findFirstTxId } from './disconnect.ts';
import type { FetchedBlock } from './fetched-block.ts';
import { loadChainState } from './load-state.ts';
import { loadLowestFork, saveLowestFork } from './lowest-fork.ts';
import type { Mempool } from './mempool.ts';
import type { IndexerPart } from './part.ts';
import { createPartStore } from './part-store.ts';
import type { PreparedBatch } from './prepare-batch.ts';
import { createPrevoutScripts } from './prevout-scripts.ts';
import { createRecentOutputs } from './recent-outputs.ts';
import { loadRepeatScripts } from './repeat-scripts.ts';
import { resolveInputs } from './resolve-inputs.ts';
import { resolveScripts } from './resolve-scripts.ts';
import { listUnminedTxs } from './returning-txs.ts';
import type { Revision } from './revision.ts';
import { createScriptMemory } from './script-memory.ts';

export type IndexLimits = {
  /** Outputs whose scripts and values are remembered, a power of two. */
  readonly recentOutputs: number;
  /** Transactions that are undone together. */
  readonly disconnectTxs: number;
  /** Steps that go on share a transaction of the database until it has so many new keys, too many pages, or took so long. */
  readonly sharedKeys: number;
  readonly sharedMs: number;
};

/** Recent outputs take 34 MB, undoing about 100, keys 50, and what is held of their pages and of those of spends up to 110. */
const LIMITS: IndexLimits = {
  recentOutputs: 1 << 21,
  disconnectTxs: 100_000,
  sharedKeys: 3 << 18,
  sharedMs: 5_000,
};
/** Scripts in one generation of those recognised from memory. */
const REMEMBERED_SCRIPTS = 50_000;

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
  /**
   * Applies a step. When it throws nothing is changed since the last commit, and `state` is what it was then.
   * @throws UnknownPrevoutError when the index does not fit the node's chain; RangeError when it would disconnect
   * {@link ChainIndex.lowestFork}
   */
  apply(step: ChainStep): Promise<void>;
  /** Commits the steps that are not committed yet. When it throws they are undone. */
  commit(): Promise<void>;
  /**
   * Also moves the keys of the last steps to their pages, which nobody has to wait for: see `KeyIndex`. When it throws, what was
   * committed stays, and it can be tried again.
   */
  settle(): Promise<void>;
};

/** A transaction of the database under way. */
type OpenTransaction = {
  readonly before: { state: ChainState; lowestFork: number };
  readonly beganMs: number;
};

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
  horizonBlocks: number;
  limits?: IndexLimits;
}): Promise<ChainIndex> {
  const { writer, parts, mempool, revision, horizonBlocks, limits = LIMITS } = options;
  const recent = createRecentOutputs(limits.recentOutputs);
  const memory = createScriptMemory(REMEMBERED_SCRIPTS);
  const partStore = createPartStore(writer, parts);
  let state = await loadChainState(writer);
  let lowestFork = await loadLowestFork(writer);
  const added = createAdditions(writer);
  /** Whether what was added is to the tables as they are. */
  let isLoaded = false;
  let open: OpenTransaction | undefined;

  const forgetRecent = (): void => {
    recent.clear();
    memory.clear();
  };

  const begin = async (): Promise<OpenTransaction> => {
    await writer.begin();
    return { before: { state, lowestFork }, beganMs: performance.now() };
  };

  const disconnect = async (height: number, replacement: readonly FetchedBlock[]): Promise<ChainState> => {
    forgetRecent();
    const unmined = await listUnminedTxs(writer, height, replacement);
    await partStore.disconnect(height, (await findFirstTxId(writer, height)) ?? state.totals.outputs);
    const after = await disconnectBlocks(writer, state, height, limits.disconnectTxs);
    // At once, so that no reader sees the chain without them: the node has them in its mempool, too.
    await mempool.takeBack(unmined, Date.now());
    return after;
  };

  const connect = async (
    batch: PreparedBatch,
    before: ChainState,
    { nodeHeight, goesOn }: ChainStep,
  ): Promise<ChainState> => {
    const { blocks, txKey } = batch;
    const inputs = await resolveInputs(batch, before.totals, recent, added.txs, writer);
    const scripts = await resolveScripts(batch, before.totals, inputs, recent, memory, added.scripts, writer);
    const repeats = await loadRepeatScripts(scripts, before.totals.outputs, added.spends, writer);
    added.txs.add({ keys: txKey, ids: inputs.txIds });
    added.scripts.add({ keys: scripts.newKeys, ids: scripts.newIds });
    // Nothing will be added to them: a server works on them while the batch is connected.
    if (!goesOn) await added.keepKeys();
    const connected = connectBlocks({ blocks, inputs, scripts, ...repeats }, before);
    await writeBatch(writer, connected.rows, added.spends);
    const prevouts = createPrevoutScripts(blocks, inputs, scripts, memory, writer);
    const place = { firstInput: 0, firstOutput: 0, firstOutputId: before.totals.outputs, prevouts };
    for (const [i, block] of blocks.entries()) {
      const view = createConnectedBlock(block, connected.times[i]!, { ...place });
      const partWriter = partStore.forBlock(block.height, block.height > nodeHeight - horizonBlocks);
      for (const part of parts) await part.connectBlock(view, partWriter);
      place.firstInput += block.scan.inputCount;
      place.firstOutput += block.scan.outputCount;
    }
    await partStore.flush(goesOn);
    await partStore.prune(connected.state.height - horizonBlocks + 1);
    return connected.state;
  };

  const applyWithin = async (step: ChainStep): Promise<void> => {
    const { disconnectFrom, batch, nodeHeight } = step;
    const blocks = batch?.blocks ?? [];
    if (disconnectFrom !== undefined) {
      state = await disconnect(disconnectFrom, blocks);
      await added.load(state);
    }
    if (batch) state = await connect(batch, state, step);
    // Deeper blocks of the tip lost their undo rows, or never got any.
    const lowestAfter = Math.max(
      lowestFork,
      state.height - horizonBlocks,
      Math.min(state.height, nodeHeight - horizonBlocks),
    );
    if (lowestAfter !== lowestFork) await saveLowestFork(writer, lowestAfter);
    lowestFork = lowestAfter;
    await mempool.removeMined(blocks);
  };

  /** Runs a part of the open transaction; when that fails all of it is undone. */
  const attempt = async (transaction: OpenTransaction, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      open = undefined;
      ({ state, lowestFork } = transaction.before);
      forgetRecent();
      partStore.reset();
      added.forget();
      isLoaded = false;
      await writer.rollback();
      await mempool.reload();
      throw error;
    }
  };

  const load = async (): Promise<void> => {
    if (isLoaded) return;
    await added.load(state);
    isLoaded = true;
  };

  const commit = async (): Promise<void> => {
    if (!open) return;
    await attempt(open, async () => {
      await partStore.flush();
      await added.keep();
      await revision.bump();
      await writer.commit();
      open = undefined;
    });
  };

  const settle = async (): Promise<void> => {
    await commit();
    await load();
    if (!added.hasKeys()) return;
    open = await begin();
    await attempt(open, async () => {
      await added.writeKeys();
      // The revision stays: all that can be read is as it was.
      await writer.commit();
      open = undefined;
    });
  };

  /** Blocks that were disconnected are replaced first, however long that takes. */
  const isLarge = ({ before, beganMs }: OpenTransaction): boolean =>
    added.isFull(limits.sharedKeys) ||
    (state.height > before.state.height && performance.now() - beganMs >= limits.sharedMs);

  return {
    get state() {
      return state;
    },
    get lowestFork() {
      return lowestFork;
    },
    async apply(step) {
      const { disconnectFrom, goesOn = false } = step;
      if (disconnectFrom !== undefined) await settle();
      if (disconnectFrom !== undefined && disconnectFrom <= lowestFork)
        throw new RangeError(
          `block ${disconnectFrom} cannot be disconnected, only those above ${lowestFork}`,
        );
      await load();
      const transaction = open ?? (await begin());
      open = transaction;
      await attempt(transaction, () => applyWithin(step));
      if (!goesOn || isLarge(transaction)) await commit();
    },
    commit,
    settle,
  };
}
