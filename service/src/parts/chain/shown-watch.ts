import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { ChainView, ReadChain } from '../../chain/chain-view.ts';
import { pause } from '../../pause.ts';

/**
 * What reads of this service make of a transaction that the node has taken.
 *
 * - `visible`: they show it from now on
 * - `pending`: they do not yet; the service is behind the node, or has more to do than it can
 * - `dropped`: the node has it no longer: it was replaced or evicted at once
 */
export type Visibility = 'visible' | 'pending' | 'dropped';

/** Waits until reads show what was sent, a bounded time. */
export type ShownWatch = (txid: string) => Promise<Visibility>;

export type ShownWatchOptions = {
  readonly readChain: ReadChain;
  /** False while the index is so far behind the node that waiting would be in vain. */
  readonly isInStep: (view: ChainView) => boolean;
  /** Whether the node's mempool has it; undefined when it cannot be told. Never rejects. */
  readonly isInMempool: (txid: string) => Promise<boolean | undefined>;
  /** The node's best block, display hex; undefined when it cannot be told. Never rejects. */
  readonly findNodeTip: () => Promise<string | undefined>;
  /** Milliseconds; 2,000. */
  readonly longestMs?: number;
};

type Waiting = {
  readonly id: Uint8Array;
  readonly untilMs: number;
  /** When the node is asked whether it still has it. */
  askMs: number;
  readonly promise: Promise<Visibility>;
  readonly settle: (visibility: Visibility) => void;
};

/** Of more nobody waits: they are told `pending` at once. */
const MOST_WAITING = 256;
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 40;
/** What is not shown after this may have been dropped. */
const ASK_AFTER_MS = 250;
const LONGEST_MS = 2_000;

/** Opens a watch. However many wait, one view at a time is read for all of them. */
export function createShownWatch(options: ShownWatchOptions): ShownWatch {
  const { readChain, isInStep, isInMempool, findNodeTip, longestMs = LONGEST_MS } = options;
  const waiting = new Map<string, Waiting>();
  const never = new AbortController().signal;
  let isRunning = false;

  const settle = (txid: string, visibility: Visibility): void => {
    waiting.get(txid)?.settle(visibility);
    waiting.delete(txid);
  };

  /** Settles those that the view shows; all when it cannot show what is now. */
  const look = async (): Promise<void> => {
    const asked = [...waiting];
    const found = await readChain(async (view) =>
      isInStep(view) ? await Promise.all(asked.map(([, { id }]) => view.findTx(id))) : undefined,
    ).catch(() => undefined);
    for (const [i, [txid]] of asked.entries()) {
      if (found === undefined) settle(txid, 'pending');
      else if (found[i] !== undefined) settle(txid, 'visible');
    }
  };

  /** It has left the mempool, and no block up to the node's tip of afterwards has it. */
  const isDropped = async (txid: string, id: Uint8Array): Promise<boolean> => {
    if ((await isInMempool(txid)) !== false) return false;
    const nodeTip = await findNodeTip();
    const isGone = async (view: ChainView): Promise<boolean> =>
      view.tip !== undefined && toDisplayHash(view.tip.hash) === nodeTip && !(await view.findTx(id));
    return await readChain(isGone).catch(() => false);
  };

  const judgeLate = (nowMs: number): void => {
    for (const [txid, one] of waiting) {
      if (nowMs >= one.untilMs) settle(txid, 'pending');
      if (nowMs < one.askMs) continue;
      one.askMs = Number.POSITIVE_INFINITY;
      void isDropped(txid, one.id).then((dropped) => {
        if (dropped) settle(txid, 'dropped');
        one.askMs = performance.now() + ASK_AFTER_MS;
      });
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    for (
      let pauseMs = FIRST_PAUSE_MS;
      waiting.size > 0;
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)
    ) {
      await pause(pauseMs, never);
      await look();
      judgeLate(performance.now());
    }
    isRunning = false;
  };

  const add = (txid: string): Waiting => {
    const { promise, resolve } = Promise.withResolvers<Visibility>();
    const nowMs = performance.now();
    const one = {
      id: getValue(parseDisplayHash(txid)),
      untilMs: nowMs + longestMs,
      askMs: nowMs + ASK_AFTER_MS,
      promise,
      settle: resolve,
    };
    waiting.set(txid, one);
    if (!isRunning) void run();
    return one;
  };

  return async (txid) => {
    const known = waiting.get(txid);
    if (!known && waiting.size >= MOST_WAITING) return 'pending';
    const { promise } = known ?? add(txid);
    // A database that does not answer holds up the looks, and nobody who waits for them.
    const deadline = new AbortController();
    const late = pause(longestMs, deadline.signal).then((): Visibility => 'pending');
    const visibility = await Promise.race([promise, late]);
    deadline.abort();
    return visibility;
  };
}
