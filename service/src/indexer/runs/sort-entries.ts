import { compareBytes } from './run-page.ts';

const DIGITS = 1 << 16;
/** So few entries out of order are put in their places one by one. */
const FEW = 32;

/**
 * The order of entries by their bytes. The first `radixBytes` are sorted by counting, which takes no comparisons and keeps the
 * order of those that are alike; these are then compared whole. Entries of one script come in the order of the chain, which
 * is theirs already.
 *
 * @param radixBytes even; enough that few of different entries share them
 */
export function orderEntries(
  entries: Uint8Array,
  entryBytes: number,
  count: number,
  radixBytes: number,
): Uint32Array {
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let spare = new Uint32Array(count);
  const counts = new Uint32Array(DIGITS);
  for (let byte = radixBytes - 2; byte >= 0; byte -= 2) {
    counts.fill(0);
    let first = -1;
    let isSame = true;
    for (let i = 0, at = byte; i < count; i++, at += entryBytes) {
      const digit = (entries[at]! << 8) | entries[at + 1]!;
      if (first < 0) first = digit;
      else if (digit !== first) isSame = false;
      counts[digit]!++;
    }
    if (isSame) continue;
    let sum = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const before = sum;
      sum += counts[digit]!;
      counts[digit] = before;
    }
    for (let i = 0; i < count; i++) {
      const entry = order[i]!;
      const at = entry * entryBytes + byte;
      spare[counts[(entries[at]! << 8) | entries[at + 1]!]!++] = entry;
    }
    [order, spare] = [spare, order];
  }
  sortAlike(entries, entryBytes, order, radixBytes);
  return order;
}

/** Puts entries in order whose first bytes are the same. */
function sortAlike(entries: Uint8Array, entryBytes: number, order: Uint32Array, alike: number): void {
  const rest = entryBytes - alike;
  for (let start = 0; start < order.length; ) {
    const first = order[start]! * entryBytes;
    let end = start + 1;
    let disorder = 0;
    for (; end < order.length; end++) {
      const at = order[end]! * entryBytes;
      if (compareBytes(entries, first, entries, at, alike) !== 0) break;
      const before = order[end - 1]! * entryBytes;
      if (compareBytes(entries, before + alike, entries, at + alike, rest) > 0) disorder++;
    }
    if (disorder > 0) sortSlice(entries, entryBytes, order.subarray(start, end));
    start = end;
  }
}

function sortSlice(entries: Uint8Array, entryBytes: number, slice: Uint32Array): void {
  const compare = (a: number, b: number): number =>
    compareBytes(entries, a * entryBytes, entries, b * entryBytes, entryBytes);
  if (slice.length > FEW) {
    slice.sort(compare);
    return;
  }
  for (let i = 1; i < slice.length; i++) {
    const entry = slice[i]!;
    let place = i;
    for (; place > 0 && compare(slice[place - 1]!, entry) > 0; place--) slice[place] = slice[place - 1]!;
    slice[place] = entry;
  }
}
