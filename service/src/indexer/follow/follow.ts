import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { createAlarm } from '../../alarm.ts';
import { isDamage } from '../../db/damage.ts';
import { DatabaseUnavailableError, type Writer } from '../../db/database.ts';
import { isMethodRefused, isNodeError, type NodeError } from '../../node/node-error.ts';
import { fetchNodeFacts } from '../../node/node-facts.ts';
import { isCatchingUp } from '../../node/pending-blocks.ts';
import type { NodeClient } from '../../node/rpc-client.ts';
import { type Tip, watchTip } from '../../node/tip-watcher.ts';
import type { ChainIndex } from '../connect/chain-index.ts';
import type { BlockFeed } from '../feed/block-feed.ts';
import type { RememberedRange } from '../feed/feed-protocol.ts';
import { previousHash } from '../feed/fetched-block.ts';
import type { BatchLimits, PreparedBatch } from '../feed/prepare-batch.ts';
import type { Mempool } from '../mempool/mempool.ts';
import { MAX_MEMPOOL_TXS, openMempoolLook } from '../mempool/refresh-mempool.ts';
import { openSentTxs } from '../mempool/sent-txs.ts';
import { createEarlyLook } from './early-look.ts';
import { type ChainRules, compareWithNode, type Relation } from './find-fork.ts';
import { findLatestBlocks, LATEST_TXS } from './latest-blocks.ts';
import { openPeerWatch } from './settled-peers.ts';
import { openSyncMark } from './sync-mark.ts';

/** What the follower is doing, for people and monitoring. */
export type FollowState =
  | { kind: 'starting' }
  /** Behind the node and catching up. */
  | { kind: 'syncing' }
  /** At the node's tip. */
  | { kind: 'ready' }
  | { kind: 'node_unavailable'; error: NodeError['kind'] }
  /** The node has only a part of what is indexed. */
  | { kind: 'node_behind' }
  | { kind: 'other_chain'; genesisHash: string }
  /** The node has deleted blocks that are not indexed yet. */
  | { kind: 'node_pruned'; pruneHeight: number }
  | { kind: 'reorg_too_deep'; depth: number }
  /** Something is wrong on this side; tried again after a pause, which does not help where the index is damaged. */
  | { kind: 'failed'; message: string; isDamaged: boolean };

export type FollowReport = {
  state: FollowState;
  height: number;
  nodeHeight: number | undefined;
  /** Whether the mempool mirrors the node's; false while it is filled, and while the node has more than is held. */
  mempoolComplete: boolean;
};

export type FollowOptions = {
  node: NodeClient;
  reader: Writer;
  feed: BlockFeed;
  index: ChainIndex;
  mempool: Mempool;
  rules: ChainRules;
  /** Batches have at most this many raw bytes or transactions, but for the last block; {@link BATCH} or {@link REPLACEMENT} when not given. */
  batch?: BatchLimits;
  onReport: (report: FollowReport) => void;
  /** Is given what names a transaction that the node has just taken from a client, by its display txid. */
  onBegin?: (nameSent: (txid: string) => void) => void;
  signal: AbortSignal;
};

/** Small for memory: batches share their writes (chain-index.ts). */
const BATCH: BatchLimits = { bytes: 8 * 1024 * 1024, txs: 24_000 };
/** So many are made ready while others are undone; where each batch is committed by itself, nobody shall see the chain shorter. */
const REPLACEMENT: BatchLimits = { bytes: 24 * 1024 * 1024, txs: 70_000 };
/** Rather than wait the index takes a batch of this size: at the start of a sync, and where the node is the slower one. */
const SMALL_BATCH: BatchLimits = { bytes: 3 * 1024 * 1024, txs: 8_000 };
/** The mempool is asked for again after this, or after ten times what asking took; after a broadcast at once or after those. */
const MEMPOOL_PAUSE_MS = 500;
const RETRY_PAUSE_MS = 1_000;
/** By then the node has said whether it has a new block, where it may have one. */
const NEWS_MS = 20;
/** Behind a block those come first who ask for it: what nobody waits for begins after this. */
const QUIET_MS = 50;

/**
 * Follows the node until the signal ends it, or the writer is lost. Four cases, in this order:
 * 1. no node, or another chain: wait, and say so;
 * 2. the node's tip is ours: admit what clients sent, mirror the mempool, merge runs, wait for a change;
 * 3. the node's best chain parted from ours within the horizon: fetch what replaces it, apply both at once;
 * 4. the node's chain goes on from ours: fetch and connect, in batches.
 *
 * @throws DatabaseUnavailableError when the writer is of no use any more; all other failures are reported and tried again
 */
export async function followNode(options: FollowOptions): Promise<void> {
  const { node, reader, index, mempool, rules, onReport, signal } = options;
  const alarm = createAlarm(signal);
  /** A look at the mempool is due, whatever its time. */
  let lookIsWanted = false;
  let nextLookMs = 0;
  let quietUntilMs = 0;
  const wantLook = (): void => {
    lookIsWanted = true;
    alarm.ring();
  };
  const earlyLook = createEarlyLook(wantLook);
  const sent = openSentTxs(node, mempool, alarm.ring, MAX_MEMPOOL_TXS);
  options.onBegin?.((txid) => {
    sent.add(txid);
    // What it builds upon may be missing, and the time up to which everything is known stays where it was.
    earlyLook.ask();
  });
  const syncMark = openSyncMark(reader);
  const peers = openPeerWatch(node, reader);
  const lookAtMempool = openMempoolLook(node, mempool);
  let tip: Tip | undefined;
  /** The node's long poll has turned: to find out why takes several turns of the event loop. */
  let mayHaveNews = false;
  let outage: NodeError | undefined;
  let mempoolComplete = false;
  /** The last step failed and is tried again: what it failed by stays the state until something comes of it. */
  let retrying = false;
  let hasBeenInStep = false;
  const txsAtStart = index.state.totals.txs;
  /** It failed by something on this side, so what shared its transaction was undone with it. */
  let undone = false;

  const report = (state: FollowState): void => {
    onReport({ state, height: index.state.height, nodeHeight: tip?.height, mempoolComplete });
  };
  const watching = watchTip({
    node,
    signal,
    onTip: (next) => {
      tip = next;
      outage = undefined;
      wantLook();
    },
    onTurn: () => {
      mayHaveNews = true;
    },
    onError: (error) => {
      outage = error;
      peers.forget();
      alarm.ring();
    },
  });

  const admitSent = ({ hash }: Tip): Promise<void> => syncMark.keep(() => sent.admit(hash));

  /** Mirrors the mempool, and marks the state where it is a whole one. */
  const look = async (target: Tip): Promise<void> => {
    const startedMs = performance.now();
    const askedMs = Date.now();
    lookIsWanted = false;
    earlyLook.began();
    const view = await lookAtMempool(
      target.hash,
      () => tip !== target,
      () => admitSent(target),
    );
    mempoolComplete = view === 'whole';
    if (!hasBeenInStep && index.state.totals.txs - txsAtStart < LATEST_TXS) {
      const latest = await findLatestBlocks(reader);
      if (latest) void rehearse(options, latest);
    }
    hasBeenInStep = true;
    const isCurrent = async (): Promise<boolean> =>
      view === 'whole' && !(await isCatchingUp(node)) && (await peers.areSettled(askedMs));
    if (view !== 'partial') await syncMark.put(askedMs, isCurrent);
    report({ kind: 'ready' });
    const restMs = 10 * (performance.now() - startedMs);
    earlyLook.ended(restMs);
    nextLookMs = performance.now() + Math.max(MEMPOOL_PAUSE_MS, restMs);
  };

  /** @returns how long to wait for something to happen */
  const step = async (): Promise<number> => {
    if (outage) {
      report({ kind: 'node_unavailable', error: outage.kind });
      return Number.POSITIVE_INFINITY;
    }
    if (!tip) return Number.POSITIVE_INFINITY;
    const target = tip;
    const relation = await compareWithNode(
      node,
      reader,
      { height: index.state.height, lowestFork: index.lowestFork },
      target,
      rules,
    );
    if (relation.kind === 'equal') {
      const isUrgent = (): boolean => tip !== target || alarm.hasRung || signal.aborted;
      await admitSent(target);
      const quietMs = quietUntilMs - performance.now();
      if (quietMs > 0) return quietMs;
      await mempool.sweep(isUrgent);
      if (lookIsWanted || performance.now() >= nextLookMs) await look(target);
      mayHaveNews = false;
      await index.tidy(() => mayHaveNews || isUrgent() || performance.now() >= nextLookMs);
      return Math.max(
        1,
        Math.min(nextLookMs - performance.now(), mayHaveNews ? NEWS_MS : Number.POSITIVE_INFINITY),
      );
    }
    if (relation.kind === 'follow') {
      if (index.state.height < target.height - 1 && !retrying) report({ kind: 'syncing' });
      await advance(options, relation, target, undone, () =>
        report({ kind: index.state.height >= target.height ? 'ready' : 'syncing' }),
      );
      lookIsWanted = true;
      quietUntilMs = performance.now() + QUIET_MS;
      return 0;
    }
    report(relation.kind === 'too_deep' ? { kind: 'reorg_too_deep', depth: relation.depth } : relation);
    earlyLook.ended(RETRY_PAUSE_MS);
    return RETRY_PAUSE_MS;
  };

  report({ kind: 'starting' });
  while (!signal.aborted) {
    let pauseMs: number;
    try {
      pauseMs = await step();
      retrying = false;
      undone = false;
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof DatabaseUnavailableError) throw error;
      retrying = true;
      undone = !isNodeError(error);
      report(await describeFailure(error, node, index.state.height));
      lookIsWanted = true;
      earlyLook.ended(RETRY_PAUSE_MS);
      pauseMs = RETRY_PAUSE_MS;
    }
    if (pauseMs > 0) await alarm.wait(pauseMs);
  }
  await index.commit().catch(() => {});
  await watching;
}

/**
 * Disconnects what is above the fork, if anything, and connects the node's blocks from there to `target`.
 *
 * @param singly commits each batch by itself, so that all is kept that comes before what fails
 */
async function advance(
  { feed, index, batch, signal }: FollowOptions,
  { forkHeight, forkHash }: Extract<Relation, { kind: 'follow' }>,
  target: Tip,
  singly: boolean,
  onBatch: () => void,
): Promise<void> {
  const disconnects = forkHeight < index.state.height;
  const most = batch ?? (disconnects ? REPLACEMENT : BATCH);
  let disconnectFrom = disconnects ? forkHeight + 1 : undefined;
  const apply = async (prepared?: PreparedBatch): Promise<void> => {
    const reached = prepared?.blocks.at(-1)?.height ?? target.height;
    const goesOn = !singly && reached < target.height;
    await index.apply({ disconnectFrom, batch: prepared, nodeHeight: target.height, goesOn });
    disconnectFrom = undefined;
    onBatch();
  };
  if (target.height === forkHeight) return apply();
  const least = disconnects && singly ? most : smaller(most, SMALL_BATCH);
  const firstOutput = await index.findFirstOutput(forkHeight + 1);
  const { height: toHeight, hash: toHash } = target;
  const range = { fromHeight: forkHeight + 1, toHeight, toHash, firstOutput, least, most };
  let before = forkHash;
  try {
    for await (const prepared of feed.batches(range)) {
      // The node changed branches while blocks were fetched: what came so far is good, the next step finds the rest.
      if (!equalBytes(previousHash(prepared.blocks[0]!), before)) break;
      before = prepared.blocks.at(-1)!.hash;
      await apply(prepared);
      if (signal.aborted) return;
    }
  } finally {
    await index.commit();
  }
}

/** Has the feed remember the latest blocks, so that the first ones behind a start take no longer than others. */
async function rehearse({ feed, index }: FollowOptions, latest: RememberedRange): Promise<void> {
  try {
    for await (const batch of feed.remember(latest)) index.rehearse(batch);
  } catch {
    // It is to save time. Whatever is wrong is told by whoever needs a block.
  }
}

function smaller(a: BatchLimits, b: BatchLimits): BatchLimits {
  return { bytes: Math.min(a.bytes, b.bytes), txs: Math.min(a.txs, b.txs) };
}

/** Blocks that a pruned node has deleted cannot be fetched, however often it is asked. */
async function describeFailure(error: unknown, node: NodeClient, height: number): Promise<FollowState> {
  if (isNodeError(error, 'rpc') || isMethodRefused(error)) {
    const facts = await fetchNodeFacts(node).catch(() => undefined);
    if (facts?.pruneHeight !== undefined && facts.pruneHeight > height + 1) {
      return { kind: 'node_pruned', pruneHeight: facts.pruneHeight };
    }
  }
  if (isNodeError(error)) return { kind: 'node_unavailable', error: error.kind };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', message, isDamaged: isDamage(error) };
}
