import { compareBytes } from './run-page.ts';

/** So few entries out of order are put in their places one by one. */
const FEW = 32;
/** Below this many entries two bytes at once have more digits than there are entries. */
const MANY = 1 << 15;
/** Entries are first put into so many parts, each of which fits in the processor's cache. */
const PARTS = 512;

/** Gives room for `least` bytes at least; `all` would do for everything at once. */
export type RoomFor = (least: number, all: number) => Uint8Array;

/**
 * Visits entries in the order of their bytes.
 *
 * They are put into parts by their first bits: what is done with each part then is done in the processor's cache. Visiting a
 * million entries that are all over the memory took four times as long.
 *
 * @param radixBytes even; enough that few of different entries share them
 * @param roomFor is asked for room for one of the parts at least; of those that have room together, all are taken at once
 */
export function visitInOrder(
  entries: Uint8Array,
  entryBytes: number,
  radixBytes: number,
  roomFor: RoomFor,
  visit: (entries: Uint8Array, at: number) => void,
): void {
  const count = entries.length / entryBytes;
  if (count < MANY) {
    visitPart(entries, entryBytes, radixBytes, visit);
    return;
  }
  const digitAt = findFirstDigit(entries, entryBytes, radixBytes);
  const sizes = new Uint32Array(PARTS);
  for (let at = digitAt; at < entries.length; at += entryBytes) sizes[partOf(entries, at)]! += entryBytes;
  const room = roomFor(Math.max(...sizes), entries.length);
  const next = new Uint32Array(PARTS);
  for (let first = 0; first < PARTS; ) {
    let end = first;
    for (let used = 0; end < PARTS && used + sizes[end]! <= room.length; end++) {
      next[end] = used;
      used += sizes[end]!;
    }
    for (let from = 0; from < entries.length; from += entryBytes) {
      const part = partOf(entries, from + digitAt);
      if (part < first || part >= end) continue;
      const to = next[part]!;
      for (let i = 0; i < entryBytes; i++) room[to + i] = entries[from + i]!;
      next[part] = to + entryBytes;
    }
    for (; first < end; first++) {
      if (sizes[first] === 0) continue;
      const partEnd = next[first]!;
      visitPart(room.subarray(partEnd - sizes[first]!, partEnd), entryBytes, radixBytes, visit);
    }
  }
}

function partOf(entries: Uint8Array, at: number): number {
  return (entries[at]! << 1) | (entries[at + 1]! >>> 7);
}

/** Where the first byte is in which entries differ, of the first ones of each. */
function findFirstDigit(entries: Uint8Array, entryBytes: number, radixBytes: number): number {
  for (let byte = 0; byte < radixBytes - 2; byte++) {
    const first = entries[byte];
    for (let at = byte; at < entries.length; at += entryBytes) if (entries[at] !== first) return byte;
  }
  return radixBytes - 2;
}

function visitPart(
  entries: Uint8Array,
  entryBytes: number,
  radixBytes: number,
  visit: (entries: Uint8Array, at: number) => void,
): void {
  const count = entries.length / entryBytes;
  const order = orderEntries(entries, entryBytes, count, radixBytes);
  for (let i = 0; i < count; i++) visit(entries, order[i]! * entryBytes);
}

/**
 * The order of entries by their bytes. The first `radixBytes` are sorted by counting, which takes no comparisons and keeps the
 * order of those that are alike; these are then compared whole. Entries of one script come in the order of the chain, which
 * is theirs already.
 */
function orderEntries(
  entries: Uint8Array,
  entryBytes: number,
  count: number,
  radixBytes: number,
): Uint32Array {
  const digitBytes = count < MANY ? 1 : 2;
  const digits = 1 << (8 * digitBytes);
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let spare = new Uint32Array(count);
  const counts = new Uint32Array(digits);
  for (let byte = radixBytes - digitBytes; byte >= 0; byte -= digitBytes) {
    const readDigit = (at: number): number =>
      digitBytes === 1 ? entries[at]! : (entries[at]! << 8) | entries[at + 1]!;
    counts.fill(0);
    for (let i = 0, at = byte; i < count; i++, at += entryBytes) counts[readDigit(at)]!++;
    if (counts[readDigit(byte)] === count) continue;
    let sum = 0;
    for (let digit = 0; digit < digits; digit++) {
      const before = sum;
      sum += counts[digit]!;
      counts[digit] = before;
    }
    for (let i = 0; i < count; i++) {
      const entry = order[i]!;
      spare[counts[readDigit(entry * entryBytes + byte)]!++] = entry;
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
