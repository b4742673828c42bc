import { readUint48, UINT48_BYTES, writeUint48 } from './uint48.ts';

/**
 * An index from 48-bit keys to 48-bit ids, kept in pages by linear hashing (Litwin 1980): the number of pages follows
 * from the number of entries alone, and the page of a key from both, so a lookup reads exactly one page, nothing is
 * searched for, and the pages of an index are a pure function of the entries in them. A page is its entries of 12 bytes each in
 * ascending order of key and id. Many ids may share a key: what is found is a candidate, to be compared whole.
 */

/** Entries a page on average. Pages that are split last have twice as many, which still fit one leaf of SQLite's b-tree (8,192 bytes). */
const ENTRIES_PER_PAGE = 192;
const ENTRY_BYTES = 2 * UINT48_BYTES;

/** How many pages hold this many entries. */
export function countPages(entries: number): number {
  return Math.max(1, Math.ceil(entries / ENTRIES_PER_PAGE));
}

/** The page of a key when there are `pages` of them. */
export function pageOfKey(key: number, pages: number): number {
  return pageWithin(key, pages, powerBelow(pages));
}

/** The greatest power of two that is not above a number of pages. */
function powerBelow(pages: number): number {
  return 1 << (31 - Math.clz32(pages));
}

function pageWithin(key: number, pages: number, half: number): number {
  // The lowest bits of the key: of a double a mask takes them in a tenth of the time of a remainder.
  const page = key & (half * 2 - 1);
  return page < pages ? page : page - half;
}

/** The page that held the keys of `page` when there were only `pages` of them. */
export function pageBeforeSplits(page: number, pages: number): number {
  let before = page;
  while (before >= pages) before -= powerBelow(before);
  return before;
}

/** Entries as two parallel columns. */
export type KeyEntries = { keys: ArrayLike<number>; ids: ArrayLike<number> };

/** Entries that are being gathered. */
export type KeyList = { keys: number[]; ids: number[] };

/** Ids of the entries of a key. */
export function findIds(page: Uint8Array, key: number): readonly number[] {
  let at = findEntry(page, 0, key, 0);
  if (at >= page.length || readUint48(page, at) !== key) return NONE;
  const ids: number[] = [];
  for (; at < page.length && readUint48(page, at) === key; at += ENTRY_BYTES) {
    ids.push(readUint48(page, at + UINT48_BYTES));
  }
  return ids;
}

const NONE: readonly number[] = [];

/** How many entries a page has. */
export function countEntries(page: Uint8Array): number {
  return page.length / ENTRY_BYTES;
}

/** All entries of a page. */
export function decodeKeyPage(page: Uint8Array): KeyList {
  const count = countEntries(page);
  const keys: number[] = new Array(count);
  const ids: number[] = new Array(count);
  for (let i = 0; i < count; i++) {
    keys[i] = readUint48(page, i * ENTRY_BYTES);
    ids[i] = readUint48(page, i * ENTRY_BYTES + UINT48_BYTES);
  }
  return { keys, ids };
}

/**
 * A page with more entries, merged mostly by copying what is there.
 *
 * @param added the entries `from .. to`, ascending by key and id
 */
export function mergeKeyPage(
  page: Uint8Array,
  { keys, ids }: KeyEntries,
  from: number,
  to: number,
): Uint8Array {
  const merged = new Uint8Array(page.length + (to - from) * ENTRY_BYTES);
  let read = 0;
  let write = 0;
  for (let i = from; i < to; i++) {
    const end = findEntry(page, read, keys[i]!, ids[i]!);
    if (end > read) {
      merged.set(page.subarray(read, end), write);
      write += end - read;
      read = end;
    }
    writeUint48(merged, write, keys[i]!);
    writeUint48(merged, write + UINT48_BYTES, ids[i]!);
    write += ENTRY_BYTES;
  }
  if (read < page.length) merged.set(page.subarray(read), write);
  return merged;
}

/**
 * Offset of the first entry, from `start` on, that is not below the given one. Keys are hashes: an entry lies near the place that
 * its key has among all keys. From there the search widens, so it is short in any page.
 */
function findEntry(page: Uint8Array, start: number, key: number, id: number): number {
  const count = page.length / ENTRY_BYTES;
  const first = start / ENTRY_BYTES;
  const guess = Math.max(first, Math.floor((key / ALL_KEYS) * count));
  let low = first;
  let high = count;
  let step = FIRST_STEP;
  if (guess < count && isBelow(page, guess, key, id)) {
    low = guess + 1;
    for (; low + step < high; step *= 2) {
      if (!isBelow(page, low + step, key, id)) high = low + step;
      else low += step + 1;
    }
  } else {
    high = Math.min(guess, count);
    for (; high - step >= low; step *= 2) {
      if (isBelow(page, high - step, key, id)) low = high - step + 1;
      else high -= step;
    }
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(page, middle, key, id)) low = middle + 1;
    else high = middle;
  }
  return low * ENTRY_BYTES;
}

const ALL_KEYS = 2 ** 48;
/** Most entries of an average page are not further from where they are looked for. */
const FIRST_STEP = 4;

function isBelow(page: Uint8Array, entry: number, key: number, id: number): boolean {
  const found = readUint48(page, entry * ENTRY_BYTES);
  return found < key || (found === key && readUint48(page, entry * ENTRY_BYTES + UINT48_BYTES) < id);
}

/** Deals the entries of a page out to the pages they belong to when there are `pages`; their order stays. */
export function splitKeyPage(page: Uint8Array, pages: number): Map<number, Uint8Array> {
  const half = powerBelow(pages);
  const sizes = new Map<number, number>();
  for (let at = 0; at < page.length; at += ENTRY_BYTES) {
    const target = pageWithin(readUint48(page, at), pages, half);
    sizes.set(target, (sizes.get(target) ?? 0) + ENTRY_BYTES);
  }
  const parts = new Map<number, Uint8Array>();
  const written = new Map<number, number>();
  for (let at = 0; at < page.length; at += ENTRY_BYTES) {
    const target = pageWithin(readUint48(page, at), pages, half);
    let part = parts.get(target);
    if (!part) {
      part = new Uint8Array(sizes.get(target)!);
      parts.set(target, part);
    }
    const to = written.get(target) ?? 0;
    for (let i = 0; i < ENTRY_BYTES; i++) part[to + i] = page[at + i]!;
    written.set(target, to + ENTRY_BYTES);
  }
  return parts;
}

/** A page without entries. */
export const EMPTY_PAGE = new Uint8Array(0);
