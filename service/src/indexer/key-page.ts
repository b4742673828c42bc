import { readUint48, UINT48_BYTES, writeUint48 } from './uint48.ts';

/**
 * An index from 48-bit keys to 48-bit ids, kept in pages by linear hashing (Litwin 1980): the number of pages follows
 * from the number of entries alone, and the page of a key from both, so a lookup reads exactly one page, nothing is
 * searched for, and the pages of an index are a pure function of its entries. A page is its entries of 12 bytes each in
 * ascending order of key and id. Many ids may share a key: what is found is a candidate, to be compared whole.
 */

/** Entries a page on average: even an unlucky page fits one leaf of SQLite's b-tree (4,096 bytes). */
const ENTRIES_PER_PAGE = 192;
const ENTRY_BYTES = 2 * UINT48_BYTES;

/** How many pages hold this many entries. */
export function countPages(entries: number): number {
  return Math.max(1, Math.ceil(entries / ENTRIES_PER_PAGE));
}

/** The page of a key when there are `pages` of them. */
export function pageOfKey(key: number, pages: number): number {
  const half = 2 ** (31 - Math.clz32(pages));
  const page = key % (half * 2);
  return page < pages ? page : page - half;
}

/** The page that held the keys of `page` when there were only `pages` of them. */
export function pageBeforeSplits(page: number, pages: number): number {
  let before = page;
  while (before >= pages) before -= 2 ** (31 - Math.clz32(before));
  return before;
}

/** Entries as two parallel columns. */
export type KeyEntries = { keys: number[]; ids: number[] };

/** Ids of the entries of a key. */
export function findIds(page: Uint8Array, key: number): number[] {
  let low = 0;
  let high = page.length / ENTRY_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (readUint48(page, middle * ENTRY_BYTES) < key) low = middle + 1;
    else high = middle;
  }
  const ids: number[] = [];
  for (let at = low * ENTRY_BYTES; at < page.length && readUint48(page, at) === key; at += ENTRY_BYTES) {
    ids.push(readUint48(page, at + UINT48_BYTES));
  }
  return ids;
}

/** All entries of a page. */
export function decodeKeyPage(page: Uint8Array): KeyEntries {
  const count = page.length / ENTRY_BYTES;
  const keys: number[] = new Array(count);
  const ids: number[] = new Array(count);
  for (let i = 0; i < count; i++) {
    keys[i] = readUint48(page, i * ENTRY_BYTES);
    ids[i] = readUint48(page, i * ENTRY_BYTES + UINT48_BYTES);
  }
  return { keys, ids };
}

/** A page of these entries, which need not be in order. */
export function encodeKeyPage({ keys, ids }: KeyEntries): Uint8Array {
  const order = keys.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || ids[a]! - ids[b]!);
  const page = new Uint8Array(keys.length * ENTRY_BYTES);
  order.forEach((entry, i) => {
    writeUint48(page, i * ENTRY_BYTES, keys[entry]!);
    writeUint48(page, i * ENTRY_BYTES + UINT48_BYTES, ids[entry]!);
  });
  return page;
}

/** A page with more entries: those to add are sorted and merged into what is there, mostly by copying. */
export function mergeKeyPage(page: Uint8Array, added: KeyEntries): Uint8Array {
  const fresh = encodeKeyPage(added);
  if (page.length === 0) return fresh;
  const merged = new Uint8Array(page.length + fresh.length);
  let from = 0;
  let to = 0;
  for (let at = 0; at < fresh.length; at += ENTRY_BYTES) {
    const end = findInsertion(page, from, fresh, at);
    merged.set(page.subarray(from, end), to);
    to += end - from;
    from = end;
    for (let i = 0; i < ENTRY_BYTES; i++) merged[to++] = fresh[at + i]!;
  }
  merged.set(page.subarray(from), to);
  return merged;
}

/** Offset of the first entry, from `start` on, that is not below the entry at `at` of `other`. */
function findInsertion(page: Uint8Array, start: number, other: Uint8Array, at: number): number {
  let low = start / ENTRY_BYTES;
  let high = page.length / ENTRY_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareEntries(page, middle * ENTRY_BYTES, other, at) < 0) low = middle + 1;
    else high = middle;
  }
  return low * ENTRY_BYTES;
}

function compareEntries(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
  for (let i = 0; i < ENTRY_BYTES; i++) {
    const difference = a[aAt + i]! - b[bAt + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Sums up what changes pages: groups entries by the page they belong to. */
export function groupByPage({ keys, ids }: KeyEntries, pages: number): Map<number, KeyEntries> {
  const groups = new Map<number, KeyEntries>();
  for (let i = 0; i < keys.length; i++) {
    const page = pageOfKey(keys[i]!, pages);
    const group = groups.get(page);
    if (group) {
      group.keys.push(keys[i]!);
      group.ids.push(ids[i]!);
    } else groups.set(page, { keys: [keys[i]!], ids: [ids[i]!] });
  }
  return groups;
}
