import type { CallOptions } from '@coinfront/sdk/client/client.ts';
import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keepAnswer, recallAnswer } from './entries.ts';
import { beginPending } from './pending.ts';
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
  /** The data are those of another page of the list, until its own are here. */
  isTurning: boolean;
  /** Reads again now. */
  reload(): void;
};

const TIME_BEATS = 3;

type State<T> = { key: string | undefined; list: string | undefined; data: T | undefined; error: unknown };

const nothing = { key: undefined, list: undefined, data: undefined, error: undefined };

/**
 * Reads one page of a list, and keeps it up to date: the page that was shown stays until the next one is here.
 *
 * @param list - what is listed
 * @param cursor - where the page begins
 */
export function useListRead<T>(
  list: string,
  cursor: string | undefined,
  read: (options: CallOptions) => Promise<T>,
  follows: Follows,
): Read<T> {
  return useRead(`${list} ${cursor}`, read, follows, list);
}

/**
 * Reads something and keeps it up to date. Whoever comes back to an entry of the history sees at once what was there.
 *
 * @param key - what is read; with another key the earlier data are gone. Undefined reads nothing.
 * @param list - what it is a page of: data of the same list stay until others are here
 */
export function useRead<T>(
  key: string | undefined,
  read: (options: CallOptions) => Promise<T>,
  follows: Follows,
  list?: string,
): Read<T> {
  const [state, setState] = useState<State<T>>(nothing);
  const endPending = useRef(() => {});
  const latestRead = useRef(read);
  latestRead.current = read;
  const again = useRef(() => {});

  useEffect(() => {
    if (key === undefined) return undefined;
    const kept = recallAnswer<T>(key);
    endPending.current = kept === undefined ? beginPending() : () => {};
    const leaving = new AbortController();
    let isReading = false;
    let isDue = false;
    /** The beat with which a read that failed is repeated. */
    let repeatAt: number | undefined;
    async function load(): Promise<void> {
      if (isReading) {
        isDue = true;
        return;
      }
      isReading = true;
      repeatAt = undefined;
      try {
        const data = await latestRead.current({ signal: leaving.signal });
        if (leaving.signal.aborted) return;
        keepAnswer(key ?? '', data);
        setState((before) =>
          before.key === key && before.error === undefined && isSame(before.data, data)
            ? before
            : { key, list, data, error: undefined },
        );
      } catch (error) {
        if (!leaving.signal.aborted) {
          const beats = beatsToRepeat(error);
          repeatAt = beats && pulse.get().beat + beats;
          setState((before) =>
            before.key === key && isSameError(before.error, error)
              ? before
              : { key, list, data: before.key === key ? before.data : kept, error },
          );
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
      if (isDueNow || (repeatAt !== undefined && now.beat >= repeatAt)) void load();
    });
    return () => {
      leaving.abort();
      stop();
      endPending.current();
    };
  }, [key, follows]);

  const isCurrent = state.key === key && key !== undefined;
  // What is shown with the answer has begun to read by then.
  useEffect(() => {
    if (isCurrent) endPending.current();
  }, [isCurrent, key]);
  const kept = isCurrent || key === undefined ? undefined : recallAnswer<T>(key);
  const isTurning = !isCurrent && kept === undefined && list !== undefined && state.list === list;
  return {
    data: isCurrent || isTurning ? state.data : kept,
    error: isCurrent ? state.error : undefined,
    isLoading: key !== undefined && !isCurrent,
    isTurning: isTurning && state.data !== undefined,
    reload: () => again.current(),
  };
}

function hasChanged(seen: Pulse, now: Pulse, follows: Follows): boolean {
  if (follows.endsWith('time') && now.beat >= seen.beat + TIME_BEATS) return true;
  if (follows.startsWith('tip')) return seen.tip !== now.tip;
  return follows.startsWith('content') && seen.content !== now.content;
}

/** After how many beats it may go better; undefined where it will not. A beat says that the service answers. */
function beatsToRepeat(error: unknown): number | undefined {
  if (isCoinfrontError(error, 'network_error', 'timeout')) return 1;
  const status = isCoinfrontError(error) ? (error.status ?? 0) : 0;
  return status === 429 || status >= 500 ? TIME_BEATS : undefined;
}

/** The same again is not said again. */
function isSameError(a: unknown, b: unknown): boolean {
  return isCoinfrontError(a) && isCoinfrontError(b) && a.code === b.code;
}

/** Unchanged answers are parsed anew, and are not worth drawing again. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
