/** What is known of a replica: how far it is, and whether it is of use. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database.ts';

/**
 * - `in`: it had all that is shown, a moment ago
 * - `behind`: it has not caught up in time; looked at until it has
 * - `failing`: it does not answer; looked at until it does
 */
export type ReplicaState = 'in' | 'behind' | 'failing';

/** A replica that is watched. */
export type WatchedReplica = {
  /** Host and port. */
  readonly name: string;
  readonly database: Database;
  /** The newest position that it has been seen at. */
  position(): number;
  state(): ReplicaState;
  /** Waits a short time until it has all that is shown. Whoever comes later while it is behind does not wait. */
  catchUp(): Promise<void>;
  /** A read of it has failed. */
  fail(error: unknown): void;
  stop(): void;
};

export type ReplicaWatchOptions = {
  readonly name: string;
  readonly database: Database;
  /** Asks the replica for its position. */
  readonly ask: () => Promise<number>;
  /** The position that somebody was shown. */
  readonly shown: () => number;
  /** It has been of no use for some seconds, and why; or it is of use again. */
  readonly onChange: (name: string, problem: string | undefined) => void;
  readonly patienceMs?: number;
  readonly noticeMs?: number;
};

/** How long a read waits for a replica that was in step: replay takes some milliseconds. */
const PATIENCE_MS = 40;
const ASK_PAUSE_MS = 2;
/** Pauses between looks at one that is out. */
const LOOK_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
const BEHIND = 'It is behind the primary.';
/** What is over sooner is no news. */
const NOTICE_MS = 5_000;

/** Starts to watch a replica; nothing is asked before it is used. */
export function watchReplica(options: ReplicaWatchOptions): WatchedReplica {
  const { name, database, ask, shown, onChange, patienceMs = PATIENCE_MS, noticeMs = NOTICE_MS } = options;
  const stopping = new AbortController();
  let position = -1;
  let state: ReplicaState = 'in';
  let catching: Promise<void> | undefined;
  let problem = '';

  const look = async (): Promise<void> => {
    position = await ask();
  };

  const tryToCatchUp = async (): Promise<void> => {
    const late = new AbortController();
    const { signal } = late;
    // One that is silent is not waited for either.
    const deadline = delay(patienceMs, undefined, { signal }).catch(() => {});
    const looking = (async (): Promise<void> => {
      for (await look(); position < shown() && !signal.aborted; await look()) await delay(ASK_PAUSE_MS);
    })();
    try {
      await Promise.race([looking, deadline]);
      if (position < shown()) leave('behind', BEHIND);
    } catch (error) {
      leave('failing', describe(error));
    }
    looking.catch(() => {});
    late.abort();
  };

  const leave = (why: ReplicaState, reason: string): void => {
    problem = reason;
    const wasIn = state === 'in';
    state = why;
    if (wasIn && !stopping.signal.aborted) void comeBack();
  };

  /** Looks until it is of use again. */
  const comeBack = async (): Promise<void> => {
    const sinceMs = performance.now();
    let isTold = false;
    for (let pauseMs = LOOK_PAUSE_MS; !stopping.signal.aborted; ) {
      await delay(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      try {
        await look();
        if (position >= shown()) break;
        leave('behind', BEHIND);
        pauseMs = LOOK_PAUSE_MS;
      } catch (error) {
        leave('failing', describe(error));
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
      if (isTold || performance.now() - sinceMs < noticeMs || stopping.signal.aborted) continue;
      isTold = true;
      onChange(name, problem);
    }
    state = 'in';
    if (isTold && !stopping.signal.aborted) onChange(name, undefined);
  };

  return {
    name,
    database,
    position: () => position,
    state: () => state,
    catchUp() {
      catching ??= tryToCatchUp().finally(() => {
        catching = undefined;
      });
      return catching;
    },
    fail: (error) => leave('failing', describe(error)),
    stop: () => stopping.abort(),
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
