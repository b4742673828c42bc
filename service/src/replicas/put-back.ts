import { bytesToHex, compareBytes } from '@coinfront/protocol/bytes.ts';
import type { ChangedRow, RowsBehind } from './state-source.ts';

/**
 * Makes rows of the present those of an earlier state: takes out what has changed since, and puts in what was there.
 *
 * @param present rows behind `key`
 * @param changed of the same kind, in the order of their keys
 * @param limit rows that are given at most
 */
export function putBack(
  present: RowsBehind,
  changed: readonly ChangedRow[],
  key: Uint8Array,
  limit: number,
): RowsBehind {
  const from = countUpTo(changed, key);
  const to = present.last === undefined ? changed.length : countUpTo(changed, present.last);
  const inside = changed.slice(from, Math.min(to, from + limit));
  const last = to - from > limit ? inside.at(-1)!.key : present.last;
  const gone = new Set(inside.map((each) => bytesToHex(each.key)));
  const kept = present.rows.filter(
    ({ row }) => !gone.has(bytesToHex(row.key)) && (last === undefined || compareBytes(row.key, last) <= 0),
  );
  const rows = [...kept, ...inside.flatMap(({ was }) => (was ? [was] : []))].sort((a, b) =>
    compareBytes(a.row.key, b.row.key),
  );
  if (rows.length <= limit) return { rows, last };
  const first = rows.slice(0, limit);
  return { rows: first, last: first.at(-1)!.row.key };
}

/** How many keys are not above one. */
function countUpTo(changed: readonly ChangedRow[], key: Uint8Array): number {
  let low = 0;
  let high = changed.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(changed[middle]!.key, key) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
