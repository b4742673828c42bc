/** The first of the numbers from `low` to below `high` that something is true of from there on; `high` where it is of none. */
export async function findFirstNumber(
  low: number,
  high: number,
  isTrueOf: (number: number) => Promise<boolean>,
): Promise<number> {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await isTrueOf(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
