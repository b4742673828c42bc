import { type RunKind, readUint32, spendRuns } from './run-kinds.ts';

/**
 * Says of a key that a run does not have it, or that it may: a Bloom filter with twelve bits a key and six of them set, which is
 * wrong about one of three hundred keys that are not there: there may be forty runs. Keys are hashes but for numbers of outputs, which are hashed here.
 */
export type RunFilter = Uint8Array;

const BITS_A_KEY = 12;
const PROBES = 6;

/** Bytes of a filter of so many keys. */
export function filterBytes(keys: number): number {
  return Math.max(8, Math.ceil((keys * BITS_A_KEY) / 8));
}

/** @param keys how many keys will be added, at most */
export function createFilter(keys: number): RunFilter {
  return new Uint8Array(filterBytes(keys));
}

/** Adds the key of an entry. */
export function addToFilter(filter: RunFilter, kind: RunKind, entry: Uint8Array, at: number): void {
  const bits = filter.length * 8;
  let probe = firstHash(kind, entry, at);
  const step = secondHash(kind, entry, at);
  for (let i = 0; i < PROBES; i++) {
    const bit = probe % bits;
    filter[bit >>> 3]! |= 1 << (bit & 7);
    probe = (probe + step) >>> 0;
  }
}

/** Whether the key of an entry may be among those added. */
export function mayHave(filter: RunFilter, kind: RunKind, entry: Uint8Array, at = 0): boolean {
  const bits = filter.length * 8;
  let probe = firstHash(kind, entry, at);
  const step = secondHash(kind, entry, at);
  for (let i = 0; i < PROBES; i++) {
    const bit = probe % bits;
    if ((filter[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
    probe = (probe + step) >>> 0;
  }
  return true;
}

function firstHash(kind: RunKind, entry: Uint8Array, at: number): number {
  return kind === spendRuns ? mix(readUint32(entry, at + 2) ^ entry[at + 1]!) : readUint32(entry, at);
}

function secondHash(kind: RunKind, entry: Uint8Array, at: number): number {
  return (
    (kind === spendRuns
      ? mix(readUint32(entry, at + 2) + 0x9e3779b9 + entry[at + 1]!)
      : readUint32(entry, at + 4)) | 1
  );
}

/** The finalizer of MurmurHash3. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
