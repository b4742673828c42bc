import type { CallOptions } from '@coinfront/sdk/client/client.ts';
import { useEffect, useState } from 'preact/hooks';
import type { Read } from '../data/use-read.ts';

type State<T> = { of: unknown; data: T | undefined; error: unknown };

/**
 * Reads something when it is asked for, and keeps the answer no longer than it is shown: what `useRead` reads stays in the memory of the
 * tab for the way back.
 *
 * @param wanted - what is read; another one reads anew, undefined reads nothing
 * @param read - reads it
 */
export function useAsked<W, T>(
  wanted: W | undefined,
  read: (wanted: W, options: CallOptions) => Promise<T>,
): Read<T> {
  const [state, setState] = useState<State<T>>({ of: undefined, data: undefined, error: undefined });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (wanted === undefined) return undefined;
    const leaving = new AbortController();
    read(wanted, { signal: leaving.signal }).then(
      (data) => !leaving.signal.aborted && setState({ of: wanted, data, error: undefined }),
      (error: unknown) => !leaving.signal.aborted && setState({ of: wanted, data: undefined, error }),
    );
    return () => leaving.abort();
  }, [wanted, times]);
  const isCurrent = wanted !== undefined && state.of === wanted;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: wanted !== undefined && !isCurrent,
    isTurning: false,
    reload() {
      setState({ of: undefined, data: undefined, error: undefined });
      setTimes(times + 1);
    },
  };
}
