import { copyEntry, viewOf } from '../encoding/copy-entry.ts';
import { readUint32 } from './run-kinds.ts';
import { compareBytes } from './run-page.ts';

/** So few entries out of order are put in their places one by one. */
const FEW = 32;
/** Below this many entries all fit in the processor's cache. */
const MANY = 1 << 15;
const WORD_BYTES = 4;
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
 * @param radixBytes 4 or more; enough that few of different entries share them
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
  const source = viewOf(entries);
  const target = viewOf(room);
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
      copyEntry(source, from, target, to, entryBytes);
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

/** Bits that entries are sorted by at a time. Of 600 entries both take as long, of 300 the fewer half as long, of 2,500 the more three quarters. */
const DIGIT_BITS = { few: 8, many: 12 };
const MANY_FOR_DIGITS = 512;

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
  const digitBits = count < MANY_FOR_DIGITS ? DIGIT_BITS.few : DIGIT_BITS.many;
  const sorting: Sorting = {
    words: new Uint32Array(count),
    order: new Uint32Array(count),
    spareWords: new Uint32Array(count),
    spareOrder: new Uint32Array(count),
    counts: new Uint32Array(1 << digitBits),
  };
  for (let i = 0; i < count; i++) sorting.order[i] = i;
  // The last word first: it may begin within the one before, which is sorted by afterwards.
  for (let byte = radixBytes - WORD_BYTES; ; byte = Math.max(0, byte - WORD_BYTES)) {
    const { words, order } = sorting;
    for (let i = 0; i < count; i++) words[i] = readUint32(entries, order[i]! * entryBytes + byte);
    for (let shift = 0; shift < 32; shift += digitBits) sortByDigit(sorting, shift);
    if (byte === 0) break;
  }
  sortAlike(entries, entryBytes, sorting);
  return sorting.order;
}

/** A word of each entry in the order so far, and room for the next order. */
type Sorting = {
  words: Uint32Array;
  order: Uint32Array;
  spareWords: Uint32Array;
  spareOrder: Uint32Array;
  /** Of each digit, a power of two of them. */
  readonly counts: Uint32Array;
};

function sortByDigit(sorting: Sorting, shift: number): void {
  const { words, order, spareWords, spareOrder, counts } = sorting;
  const count = words.length;
  const mask = counts.length - 1;
  counts.fill(0);
  for (let i = 0; i < count; i++) counts[(words[i]! >>> shift) & mask]!++;
  if (count === 0 || counts[(words[0]! >>> shift) & mask] === count) return;
  let sum = 0;
  for (let digit = 0; digit <= mask; digit++) {
    const before = sum;
    sum += counts[digit]!;
    counts[digit] = before;
  }
  for (let i = 0; i < count; i++) {
    const word = words[i]!;
    const to = counts[(word >>> shift) & mask]!++;
    spareWords[to] = word;
    spareOrder[to] = order[i]!;
  }
  sorting.words = spareWords;
  sorting.order = spareOrder;
  sorting.spareWords = words;
  sorting.spareOrder = order;
}

/** Puts entries in order whose first words are the same. */
function sortAlike(entries: Uint8Array, entryBytes: number, { order, words }: Sorting): void {
  const rest = entryBytes - WORD_BYTES;
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    let disorder = 0;
    for (; end < order.length && words[end] === words[start]; end++) {
      const before = order[end - 1]! * entryBytes + WORD_BYTES;
      const at = order[end]! * entryBytes + WORD_BYTES;
      if (compareBytes(entries, before, entries, at, rest) > 0) disorder++;
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
