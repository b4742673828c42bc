import { type ByteFetcher, poolFetcher } from './fetch-bytes.ts';

/**
 * Whether what a thread reads of files comes from memory or has to be waited for. A page that is in memory takes 3 µs, one that is not
 * 60 µs to some milliseconds; asking another thread for it costs 20 µs, so which way is the better one hangs on how many are not.
 */
export type DiskPace = {
  /** Whether so many of the latest reads were waited for that others should do the waiting. */
  readonly isSlow: boolean;
  /** Reads, and notes how long it took. */
  timed<T>(bytes: number, read: () => T): T;
  /** Reads what was brought to memory for it, which says nothing about the rest. */
  untimed<T>(read: () => T): T;
  /** Has bytes of a file brought to memory by another thread. */
  fetch(fd: number, at: number, length: number): Promise<void>;
  /**
   * Whether this read should be waited for after all, as one in so many is where those who fetch do not say how long it took: a disk that keeps up
   * again is noticed by them.
   */
  takesSample(): boolean;
};

/** A read from memory is shorter, but for the time that copying takes. */
const FROM_MEMORY_MS = 0.04;
const COPY_MS_A_BYTE = 1e-6;
/** The latest reads of which the share is taken. */
const REMEMBERED = 64;
const SLOW_SHARE = 1 / 8;
/** Slow until it is clearly not: going back and forth would have both costs. */
const FAST_SHARE = 1 / 32;
const READS_A_SAMPLE = 16;

/** Begins with a disk that keeps up. */
export function createDiskPace(fetcher: ByteFetcher = poolFetcher): DiskPace {
  let share = 0;
  let isSlow = false;
  let isQuiet = false;
  let reads = 0;

  const note = (bytes: number, ms: number): void => {
    const waited = ms > FROM_MEMORY_MS + bytes * COPY_MS_A_BYTE ? 1 : 0;
    share += (waited - share) / REMEMBERED;
    isSlow = share > (isSlow ? FAST_SHARE : SLOW_SHARE);
  };

  return {
    get isSlow() {
      return isSlow;
    },
    timed(bytes, read) {
      if (isQuiet) return read();
      const began = performance.now();
      const found = read();
      note(bytes, performance.now() - began);
      return found;
    },
    untimed(read) {
      isQuiet = true;
      try {
        return read();
      } finally {
        isQuiet = false;
      }
    },
    async fetch(fd, at, length) {
      const ms = await fetcher.fetch(fd, at, length);
      if (!Number.isNaN(ms)) note(length, ms);
    },
    takesSample: () => !fetcher.isTimed && ++reads % READS_A_SAMPLE === 0,
  };
}
