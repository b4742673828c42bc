/** Who waits for the answers of a shared connection. */

import type { SqlValue, Statement } from './statement.ts';

/** One caller's question, and whom to tell. */
export type Ask = {
  params: readonly SqlValue[];
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
};

/** Several keys that one caller looks up. */
export type Lookup = {
  keys: ArrayLike<number>;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
};

/** Keys that are looked up together; who has more of them is alone. */
const MOST_KEYS = 5_000;
/** Keys of one caller above which he is alone where a row answers for many: together, each key would have it again. */
const MOST_KEYS_OF_ROWS = 100;

/** All who ask by the same statement. */
export type Waiting<T> = { readonly statement: Statement<unknown>; readonly all: readonly T[] };

/** Takes out those who have asked first. */
export function takeFirst<T>(waiting: Map<Statement<unknown>, T[]>): Waiting<T> | undefined {
  for (const [statement, all] of waiting) {
    waiting.delete(statement);
    return { statement, all };
  }
  return undefined;
}

/** Those whose keys are looked up in one query, beginning with the first; there is at least one. */
export function splitLookups(
  statement: Statement<unknown>,
  all: readonly Lookup[],
): { now: Lookup[]; later: Lookup[] } {
  const most = statement.endOf ? MOST_KEYS_OF_ROWS : MOST_KEYS;
  const now: Lookup[] = [];
  const later: Lookup[] = [];
  let total = 0;
  for (const lookup of all) {
    const { length } = lookup.keys;
    const isFirst = now.length === 0;
    const goesAlong = now[0] !== undefined && now[0].keys.length <= most && length <= most;
    if (isFirst || (goesAlong && total + length <= MOST_KEYS)) {
      now.push(lookup);
      total += length;
    } else {
      later.push(lookup);
    }
  }
  return { now, later };
}
