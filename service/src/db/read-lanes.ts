import type { Database, Reader } from './database.ts';
import { LargeReadError } from './large-read.ts';

/** Runs a read on a snapshot. */
export type ReadSnapshot = <T>(read: (reader: Reader) => Promise<T>) => Promise<T>;

/**
 * Two lanes: reads are made together with others, where they cost a share of a query or of a turn. One that meets something large there
 * gives way, and is made once more in the lane of the large, so that these wait for each other and nobody else waits for them.
 */
export function createLanes(shared: ReadSnapshot, large: ReadSnapshot): Database['snapshot'] {
  return async (read, { isLarge = false, enterLarge } = {}) => {
    try {
      if (!isLarge) return await shared(read);
    } catch (error) {
      if (!(error instanceof LargeReadError)) throw error;
    }
    const leave = await enterLarge?.();
    try {
      return await large(read);
    } finally {
      leave?.();
    }
  };
}
