/** The row of a height-indexed table that is in force at a height: the last that begins at or below it. */
export function findAtHeight<T extends { fromHeight: number }>(
  rows: readonly T[],
  height: number,
): T | undefined {
  return rows.findLast((row) => row.fromHeight <= height);
}
