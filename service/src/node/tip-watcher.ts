import { createAlarm } from '../alarm.ts';
import { openLongPoll } from './long-poll.ts';
import { NodeError } from './node-error.ts';
import type { NodeClient } from './rpc-client.ts';

/** The block that the node takes for the best one. */
export type Tip = {
  readonly height: number;
  /** Display hex. */
  readonly hash: string;
  /** Of the block before it, display hex; undefined of the genesis block. */
  readonly previousHash: string | undefined;
};

export type WatchTipOptions = {
  readonly node: NodeClient;
  /** Called at once with the present tip, at each change, and after an outage. Must not throw. */
  readonly onTip: (tip: Tip) => void;
  /** Called when the node's long poll has turned: `onTip` may follow, so that who could give way should. Must not throw. */
  readonly onTurn?: (() => void) | undefined;
  /** Called once when the node stops answering; `onTip` follows when it is back. Must not throw. */
  readonly onError: (error: NodeError) => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Longest pause between two looks at the tip, beside the long poll; 1,000. */
  readonly pollMs?: number | undefined;
  /**
   * How long the node is asked to hold one long poll; 5,000. A caller that dies leaves its poll behind for as long, and a
   * node has by default four threads for all its callers.
   */
  readonly longPollMs?: number | undefined;
};

const MAX_BACKOFF_MS = 5_000;

/**
 * Follows the node's tip until the signal ends it; resolves then, and never rejects.
 *
 * One loop looks at the tip and reports; another holds a call at the node ({@link openLongPoll}) and wakes the first
 * within milliseconds of a block. A block that arrives between two long polls is seen by the look that
 * follows each new one. Where the node holds none, looking every `pollMs` serves alone.
 */
export async function watchTip(options: WatchTipOptions): Promise<void> {
  const { node, onTip, onTurn = () => {}, onError, signal } = options;
  const pollMs = options.pollMs ?? 1_000;
  const longPollMs = options.longPollMs ?? 5_000;
  const alarm = createAlarm(signal);
  /** What the long poll has said of the tip, until it is looked at. */
  let hint: string | undefined;
  const turn = (said?: string): void => {
    hint = said;
    alarm.ring();
    onTurn();
  };
  const longPoll = openLongPoll({ node, holdMs: longPollMs, pauseMs: pollMs, onTurn: turn, signal });

  async function lookAtTip(): Promise<void> {
    let known: Tip | undefined;
    let failures = 0;
    while (!signal.aborted) {
      try {
        const expected = hint;
        hint = undefined;
        const tip = await fetchTip(node, { known, expected }, signal);
        const isNews = tip.hash !== known?.hash || failures > 0;
        if (failures > 0) longPoll.forget();
        failures = 0;
        known = tip;
        if (isNews && !signal.aborted) onTip(tip);
      } catch (error) {
        failures += 1;
        if (failures === 1 && !signal.aborted) onError(asNodeError(error));
      }
      await alarm.wait(backoff(pollMs, failures));
    }
  }

  await Promise.all([lookAtTip(), longPoll.run()]);
}

type Header = { height?: unknown; previousblockhash?: unknown } | null;

/** @param expected what the tip may be: its header is asked for together with the tip, which spares a round trip */
async function fetchTip(
  node: NodeClient,
  { known, expected }: { known: Tip | undefined; expected: string | undefined },
  signal: AbortSignal,
): Promise<Tip> {
  const fetchHeader = (hash: unknown) => node.call<Header>('getblockheader', [hash], { signal });
  const early = isHash(expected) && expected !== known?.hash ? fetchHeader(expected) : undefined;
  // It is not needed where the tip is another one.
  early?.catch(() => {});
  const hash = await node.call<unknown>('getbestblockhash', [], { signal });
  if (known && hash === known.hash) return known;
  const header = await (early && hash === expected ? early : fetchHeader(hash));
  const { height, previousblockhash: previousHash } = header ?? {};
  if (!isHash(hash) || !Number.isSafeInteger(height) || !(previousHash === undefined || isHash(previousHash)))
    throw new NodeError(
      'invalid_answer',
      `The node at ${node.origin} gave no usable hash and height of its tip.`,
    );
  return { hash, height: height as number, previousHash };
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function asNodeError(error: unknown): NodeError {
  if (error instanceof NodeError) return error;
  return new NodeError('invalid_answer', `Looking at the node's tip failed: ${String(error)}`, {
    cause: error,
  });
}

function backoff(pollMs: number, failures: number): number {
  return failures === 0 ? pollMs : Math.min(MAX_BACKOFF_MS, pollMs * 2 ** Math.min(failures - 1, 10));
}
