/** Keeps a value fresh in the background, so that requests never wait for where it comes from. */

import { pause } from './pause.ts';

/** The latest value, and whether the last attempt to renew it worked. */
export type PollState<T> = {
  /** The last value read; it stays after a failure. */
  value: T | undefined;
  /** When it was read, milliseconds since 1970. */
  valueAtMs: number | undefined;
  /** Why the last attempt failed; undefined when it worked, or before the first one has ended. */
  error: string | undefined;
  /** Since when attempts work, or fail, without a change; milliseconds since 1970. */
  sinceMs: number | undefined;
};

export type Poller<T> = {
  current(): PollState<T>;
  /** Resolves when the attempt under way, or a new one, has ended. Never rejects. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts reading at once, then `intervalMs` after each attempt has ended. `read` must end by itself. */
export function startPoller<T>(options: {
  read: (signal: AbortSignal) => Promise<T>;
  intervalMs: number;
  /** A word for the failure that may be shown to anybody. */
  describeError: (error: unknown) => string;
}): Poller<T> {
  const stopping = new AbortController();
  let state: PollState<T> = { value: undefined, valueAtMs: undefined, error: undefined, sinceMs: undefined };
  let running: Promise<void> | undefined;

  async function attempt(): Promise<void> {
    try {
      const value = await options.read(stopping.signal);
      const now = Date.now();
      const recovered = state.value === undefined || state.error !== undefined;
      state = { value, valueAtMs: now, error: undefined, sinceMs: recovered ? now : state.sinceMs };
    } catch (error) {
      if (stopping.signal.aborted) return;
      const broke = state.error === undefined;
      state = { ...state, error: options.describeError(error), sinceMs: broke ? Date.now() : state.sinceMs };
    }
  }

  function refresh(): Promise<void> {
    running ??= attempt().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await refresh();
      await pause(options.intervalMs, stopping.signal);
    }
  }

  const ended = loop();
  return {
    current: () => state,
    refresh,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
