/** What the primary says of how far the index is; without it, what this process has shown. */

import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailableError } from './database.ts';

/** The least position that a read may be of. */
export type PrimaryWatch = {
  /** What a read that begins now has to have: all that anybody was shown. */
  findLeast(): Promise<number>;
  /** The position that this process has shown, or was told of. */
  shown(): number;
  note(position: number): void;
  /** Whether the primary answers. */
  isThere(): boolean;
  /** The answer of the primary to anything, if it comes soon; what comes later is not waited for. */
  within<T>(answer: Promise<T>): Promise<T>;
  stop(): void;
};

/** A primary that says nothing for this long does not answer, and nobody waits for it then. */
const DEADLINE_MS = 1_000;
const LOOK_PAUSE_MS = 200;
/** A promoted standby may lack the last commits; the indexer makes them again, mostly in less. */
const SETTLE_MS = 3_000;
const SETTLE_PAUSE_MS = 20;

/**
 * @param ask asks the primary for its position
 * @param settleMs how long reads wait for a primary that is behind what this process has shown
 */
export function watchPrimary(ask: () => Promise<number>, settleMs = SETTLE_MS): PrimaryWatch {
  const stopping = new AbortController();
  let shown = 0;
  let isThere = true;
  let settling: Promise<void> | undefined;

  const race = async <T>(answer: Promise<T>): Promise<T> => {
    const late = new AbortController();
    const deadline = delay(DEADLINE_MS, undefined, { signal: late.signal, ref: false }).then(() => {
      throw new DatabaseUnavailableError('The primary does not answer in time.');
    });
    deadline.catch(() => {});
    try {
      return await Promise.race([answer, deadline]);
    } catch (error) {
      // An answer that says no is one.
      if (error instanceof DatabaseUnavailableError) leave();
      throw error;
    } finally {
      late.abort();
    }
  };

  /** Those who share an answer share its deadline. */
  const raced = new WeakMap<Promise<unknown>, Promise<unknown>>();
  const within = <T>(answer: Promise<T>): Promise<T> => {
    let known = raced.get(answer);
    if (!known) {
      known = race(answer);
      raced.set(answer, known);
    }
    return known as Promise<T>;
  };

  const leave = (): void => {
    if (!isThere || stopping.signal.aborted) return;
    isThere = false;
    void comeBack();
  };

  /** Undefined when it does not answer. */
  const hear = (): Promise<number | undefined> => within(ask()).catch(() => undefined);

  const comeBack = async (): Promise<void> => {
    while (!stopping.signal.aborted && !isThere) {
      await delay(LOOK_PAUSE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      // While it is away nobody else asks.
      isThere = await within(ask()).then(
        () => true,
        () => false,
      );
    }
  };

  /** Waits until it has what was shown; if it never will, that is what there is. */
  const settle = async (): Promise<void> => {
    const untilMs = performance.now() + settleMs;
    for (;;) {
      const word = await hear();
      if (word === undefined || word >= shown) return;
      if (performance.now() > untilMs) {
        shown = word;
        return;
      }
      await delay(SETTLE_PAUSE_MS);
    }
  };

  const note = (position: number): void => {
    if (position > shown) shown = position;
  };

  return {
    note,
    shown: () => shown,
    isThere: () => isThere,
    within,
    async findLeast() {
      if (!isThere) return shown;
      const word = await hear();
      if (word === undefined) return shown;
      if (word < shown) {
        settling ??= settle().finally(() => {
          settling = undefined;
        });
        await settling;
      }
      note(word);
      return shown;
    },
    stop: () => stopping.abort(),
  };
}
