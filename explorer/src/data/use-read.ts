import type { CallOptions } from '@coinfront/sdk/client/client.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Pulse, pulse } from './pulse.ts';

/**
 * What makes a read worth repeating: a new tip, any change of the mempool, the passing of time, or nothing. What the service
 * works out from the chain a moment after it follows time as well: read in that moment it would stay old.
 */
export type Follows = 'tip' | 'content' | 'time' | 'tip and time' | 'content and time' | 'nothing';

/** What is known of a read. Earlier data stay while they are read again. */
export type Read<T> = {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  /** Reads again now. */
  reload(): void;
};

const TIME_BEATS = 3;

/**
 * Reads something and keeps it up to date.
 *
 * @param key - what is read; with another key the earlier data are gone. Undefined reads nothing.
 */
export function useRead<T>(
  key: string | undefined,
  read: (options: CallOptions) => Promise<T>,
  follows: Follows,
): Read<T> {
  const [state, setState] = useState<{ key: string | undefined; data: T | undefined; error: unknown }>({
    key: undefined,
    data: undefined,
    error: undefined,
  });
  const latestRead = useRef(read);
  latestRead.current = read;
  const again = useRef(() => {});

  useEffect(() => {
    if (key === undefined) return undefined;
    const leaving = new AbortController();
    let isReading = false;
    let isDue = false;
    async function load(): Promise<void> {
      if (isReading) {
        isDue = true;
        return;
      }
      isReading = true;
      try {
        const data = await latestRead.current({ signal: leaving.signal });
        setState((before) =>
          before.key === key && before.error === undefined && isSame(before.data, data)
            ? before
            : { key, data, error: undefined },
        );
      } catch (error) {
        if (!leaving.signal.aborted) {
          setState((before) => ({ key, data: before.key === key ? before.data : undefined, error }));
        }
      }
      isReading = false;
      if (isDue && !leaving.signal.aborted) {
        isDue = false;
        await load();
      }
    }
    again.current = () => void load();
    void load();
    let seen = pulse.get();
    const stop = pulse.subscribe((now) => {
      // The first answer tells what was there when the page was made.
      const isDueNow = seen.beat > 0 && hasChanged(seen, now, follows);
      if (isDueNow || seen.beat === 0) seen = now;
      if (isDueNow) void load();
    });
    return () => {
      leaving.abort();
      stop();
    };
  }, [key, follows]);

  const isCurrent = state.key === key && key !== undefined;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: key !== undefined && !isCurrent,
    reload: () => again.current(),
  };
}

function hasChanged(seen: Pulse, now: Pulse, follows: Follows): boolean {
  if (follows.endsWith('time') && now.beat >= seen.beat + TIME_BEATS) return true;
  if (follows.startsWith('tip')) return seen.tip !== now.tip;
  return follows.startsWith('content') && seen.content !== now.content;
}

/** Unchanged answers are parsed anew, and are not worth drawing again. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
