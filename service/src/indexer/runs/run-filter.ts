import { type RunKind, readUint32, spendRuns } from './run-kinds.ts';

/**
 * Says of a key that a run does not have it, or that it may: a Bloom filter with six bits set for a key, all in one line of the
 * processor's cache. Keys are hashes but for numbers of outputs, which are hashed here, so that neighbours share a line: the outputs of a
 * transaction are asked for together.
 *
 * With twelve bits a key it is wrong about one of 150 keys that are not there: there may be forty runs. All of them are asked, so it is their sum
 * that counts, and for that large runs need fewer bits: with the same memory it is least where each is wrong in proportion to its size.
 */
export type RunFilter = Uint8Array;

const PROBES = 6;
const BLOCK_BYTES = 64;
/** Eight numbers of outputs share a line. */
const NEIGHBOUR_BITS = 3;
const BLOCK_MASK: number = BLOCK_BYTES * 8 - 1;

/** Bits a key: of runs with so many keys or fewer; with every doubling so many less; and at least, wrong about one of eight keys. */
const BITS = { most: 12, mostKeys: 2 ** 20, aDoubling: 1.5, least: 5 };

/** Bytes of a filter of so many keys. */
export function filterBytes(keys: number): number {
  const doublings = Math.max(0, Math.log2(keys / BITS.mostKeys));
  const bits = Math.max(BITS.least, BITS.most - BITS.aDoubling * doublings);
  return Math.max(1, Math.ceil((keys * bits) / 8 / BLOCK_BYTES)) * BLOCK_BYTES;
}

/** @param keys how many keys will be added, at most */
export function createFilter(keys: number): RunFilter {
  return new Uint8Array(filterBytes(keys));
}

/** Adds the key of an entry. */
export function addToFilter(filter: RunFilter, kind: RunKind, entry: Uint8Array, at: number): void {
  const block = blockOf(filter, firstHash(kind, entry, at));
  let bit = secondHash(kind, entry, at);
  const step = (bit >>> 9) | 1;
  for (let i = 0; i < PROBES; i++) {
    filter[block + ((bit & BLOCK_MASK) >>> 3)]! |= 1 << (bit & 7);
    bit += step;
  }
}

/** What filters look at of a key: made once for all filters that are asked for it. */
export type FilterKey = { readonly first: number; readonly second: number };

/** Hashes the key of an entry, or its beginning. */
export function filterKey(kind: RunKind, entry: Uint8Array, at = 0): FilterKey {
  return { first: firstHash(kind, entry, at), second: secondHash(kind, entry, at) };
}

/** Whether a key may be among those added. */
export function mayHave(filter: RunFilter, { first, second }: FilterKey): boolean {
  const block = blockOf(filter, first);
  let bit = second;
  const step = (bit >>> 9) | 1;
  for (let i = 0; i < PROBES; i++) {
    if ((filter[block + ((bit & BLOCK_MASK) >>> 3)]! & (1 << (bit & 7))) === 0) return false;
    bit += step;
  }
  return true;
}

/** Where the block of a key begins. Of greater keys it is never before: a run is built in their order, and so its filter is gone through once. */
function blockOf(filter: RunFilter, hash: number): number {
  const blocks = filter.length / BLOCK_BYTES;
  return Math.floor((hash * blocks) / 2 ** 32) * BLOCK_BYTES;
}

function firstHash(kind: RunKind, entry: Uint8Array, at: number): number {
  return kind === spendRuns
    ? mix((readUint32(entry, at + 2) >>> NEIGHBOUR_BITS) ^ (entry[at + 1]! << 24))
    : readUint32(entry, at);
}

function secondHash(kind: RunKind, entry: Uint8Array, at: number): number {
  return kind === spendRuns
    ? mix(readUint32(entry, at + 2) + 0x9e3779b9 + entry[at + 1]!)
    : readUint32(entry, at + 4);
}

/** The finalizer of MurmurHash3. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
