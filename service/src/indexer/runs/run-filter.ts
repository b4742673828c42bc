import { type RunKind, readUint32, spendRuns } from './run-kinds.ts';

/**
 * Says of a key that a run does not have it, or that it may: a Bloom filter with twelve bits a key and six of them set, which is
 * wrong about one of 150 keys that are not there: there may be forty runs. All bits of a key are in one line of the processor's
 * cache. Keys are hashes but for numbers of outputs, which are hashed here, so that neighbours share a line: the outputs of a
 * transaction are asked for together.
 */
export type RunFilter = Uint8Array;

const BITS_A_KEY = 12;
const PROBES = 6;
const BLOCK_BYTES = 64;
/** Eight numbers of outputs share a line. */
const NEIGHBOUR_BITS = 3;
const BLOCK_MASK: number = BLOCK_BYTES * 8 - 1;

/** Bytes of a filter of so many keys. */
export function filterBytes(keys: number): number {
  return Math.max(1, Math.ceil((keys * BITS_A_KEY) / 8 / BLOCK_BYTES)) * BLOCK_BYTES;
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

/** Where the block of a key begins: the hash modulo the blocks, which as `%` takes several times as long for 32 bits. */
function blockOf(filter: RunFilter, hash: number): number {
  const blocks = filter.length / BLOCK_BYTES;
  return (hash - Math.floor(hash / blocks) * blocks) * BLOCK_BYTES;
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
