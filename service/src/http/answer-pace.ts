/** The least speed of a large answer; `mostMs` is how long a client that was quick before may read nothing at all. */
export type Pace = { readonly bytes: number; readonly ms: number; readonly mostMs: number };

/** A kilobyte a second. Pieces of an answer have so many bytes, or are the last. */
export const leastPace: Pace = { bytes: 32_768, ms: 30_000, mostMs: 60_000 };

/**
 * How long an answer waits for its client. A client that reads a byte now and then holds its place as one that reads nothing, so
 * what counts is whole pieces; lines that stand still for a while and go on are waited for.
 */
export function createPatience({ ms, mostMs }: Pace = leastPace) {
  let left = mostMs;
  return {
    /** Milliseconds in which the next piece has to be read. */
    leftMs: () => left,
    /** A piece was read, in so many milliseconds. */
    read(tookMs: number): void {
      left = Math.min(mostMs, left - tookMs + ms);
    },
  };
}
