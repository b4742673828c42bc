import { createAlarm } from '../alarm.ts';
import { pause } from '../pause.ts';
import { isMethodRefused } from './node-error.ts';
import type { NodeClient } from './rpc-client.ts';

/** Has the node tell of a block at once, where it can without harm to other calls. */
export type LongPoll = {
  /** Holds one call after another until the signal ends it. */
  run(): Promise<void>;
  /** The node was away: what was found of it may be so no longer. */
  forget(): void;
};

export type LongPollOptions = {
  readonly node: NodeClient;
  /** How long the node is asked to hold a call. */
  readonly holdMs: number;
  /** Pause after a call that failed. */
  readonly pauseMs: number;
  /** Called when a call is on its way, and when it has ended or failed: the tip may be another one, which the call may name. */
  readonly onTurn: (said?: string) => void;
  readonly signal: AbortSignal;
};

/** A node that has not shown yet that it answers others meanwhile is asked to hold a call for as long. */
const TRIAL_MS = 200;
/** By then the node has taken up the call that it holds, where it has a free thread. */
const HEAD_START_MS = 50;
/** One may be by chance, such as while the node checks a block. */
const CROWDED_AT_MOST = 2;
/** Between calls that end at once, whatever the node, or what stands before it, means by that. */
const SHORTEST_TURN_MS = 20;
const LONGEST_PAUSE_MS = 5_000;
/** A node without a thread to spare is tried again after this: the settings of others that call it may have changed. */
const REST_MS = 600_000;

/**
 * Holds `waitfornewblock` at the node, which occupies one of its threads. Each time a small call is made beside it: when that
 * is not answered before the node has let the held call go, the node has no thread to spare (`-rpcthreads=1`, or others hold
 * the rest), and holding calls would make every call wait. Then nothing is held for ten minutes, or until the node was away.
 * A node that refuses the method is asked again when it was away.
 */
export function openLongPoll({ node, holdMs, pauseMs, onTurn, signal }: LongPollOptions): LongPoll {
  const comeback = createAlarm(signal);

  const hold = async (ms: number): Promise<'shared' | 'crowded' | 'unclear'> => {
    const startedMs = performance.now();
    const options = { signal, longPoll: true, timeoutMs: ms + 10_000 };
    const held = node.call<{ hash?: unknown } | null>('waitfornewblock', [ms], options);
    onTurn();
    let askedMs = Number.POSITIVE_INFINITY;
    let isAnswered = false;
    const note = (): void => {
      isAnswered = true;
    };
    const ask = async (): Promise<void> => {
      await pause(HEAD_START_MS, signal);
      askedMs = performance.now();
      if (!signal.aborted) await node.call('getbestblockhash', [], { signal }).then(note, note);
    };
    void ask();
    const said = (await held)?.hash;
    onTurn(typeof said === 'string' ? said : undefined);
    const endedMs = performance.now();
    // A block ended it.
    if (endedMs - startedMs < ms) return 'unclear';
    if (!isAnswered) return 'crowded';
    // The node, whose queue may have been full, took it up only after it had answered the other.
    return askedMs < endedMs - ms ? 'unclear' : 'shared';
  };

  return {
    forget: comeback.ring,
    async run() {
      let failures = 0;
      let crowded = 0;
      let isTrusted = false;
      while (!signal.aborted) {
        try {
          const found = await hold(isTrusted ? holdMs : Math.min(holdMs, TRIAL_MS));
          failures = 0;
          if (found === 'unclear') {
            await pause(SHORTEST_TURN_MS, signal);
            continue;
          }
          isTrusted = found === 'shared';
          crowded = isTrusted ? 0 : crowded + 1;
          if (crowded < CROWDED_AT_MOST) continue;
          await comeback.wait(REST_MS);
          // One more crowded call is enough then.
          crowded = CROWDED_AT_MOST - 1;
        } catch (error) {
          isTrusted = false;
          if (isMethodRefused(error)) {
            await comeback.wait(Number.POSITIVE_INFINITY);
            continue;
          }
          // The node may be gone: who looks at the tip finds out.
          onTurn();
          await pause(Math.min(LONGEST_PAUSE_MS, pauseMs * 2 ** Math.min(failures, 10)), signal);
          failures += 1;
        }
      }
    },
  };
}
