import type { ColumnData } from '../../db/database.ts';
import { sortOrder } from '../encoding/sort-order.ts';

/**
 * Rows of a table of kind `past` that wait to be written. In typed arrays: each amount as a bigint of its own would be an object that the
 * garbage collector moves.
 */
export type PastAmounts = {
  readonly count: number;
  /** @returns the place of the row, by which its amount can be changed while it waits */
  add(first: number, second: number, height: number, amount: bigint): number;
  change(place: number, amount: bigint): void;
  /** All rows, and forgets them: by column, neighbours by their first number. Places that were given before are no longer valid. */
  take(): ColumnData[];
  clear(): void;
};

const FIRST_ROWS = 1_024;

/** Starts without a row. */
export function createPastAmounts(): PastAmounts {
  let count = 0;
  let firsts = new Float64Array(FIRST_ROWS);
  let seconds = new Float64Array(FIRST_ROWS);
  let heights = new Int32Array(FIRST_ROWS);
  let amounts = new BigInt64Array(FIRST_ROWS);

  const grow = (): void => {
    const rows = 2 * count;
    const grown = [new Float64Array(rows), new Float64Array(rows), new Int32Array(rows)] as const;
    grown[0].set(firsts);
    grown[1].set(seconds);
    grown[2].set(heights);
    [firsts, seconds, heights] = grown;
    const grownAmounts = new BigInt64Array(rows);
    grownAmounts.set(amounts);
    amounts = grownAmounts;
  };

  return {
    get count() {
      return count;
    },
    add(first, second, height, amount) {
      if (count === firsts.length) grow();
      firsts[count] = first;
      seconds[count] = second;
      heights[count] = height;
      amounts[count] = amount;
      return count++;
    },
    change(place, amount) {
      amounts[place] = amount;
    },
    take() {
      const order = sortOrder(firsts.subarray(0, count));
      const taken = [new Float64Array(count), new Float64Array(count), new Int32Array(count)] as const;
      const takenAmounts = new BigInt64Array(count);
      for (let i = 0; i < count; i++) {
        const place = order[i]!;
        taken[0][i] = firsts[place]!;
        taken[1][i] = seconds[place]!;
        taken[2][i] = heights[place]!;
        takenAmounts[i] = amounts[place]!;
      }
      count = 0;
      return [...taken, takenAmounts];
    },
    clear() {
      count = 0;
    },
  };
}
