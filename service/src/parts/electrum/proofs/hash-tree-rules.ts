/** Trees of double SHA-256 over 32-byte hashes, an odd last one paired with itself: of txids and of block hashes. */

import { sha256 } from '../../../indexer/encoding/hashes.ts';

const HASH_BYTES = 32;

/** The levels of a tree, hashes one behind another; the last has the root. */
export type HashLevels = readonly Uint8Array[];

/**
 * Computes the levels above some hashes, which become the first.
 *
 * @param heightAtLeast levels are added up to this, also above a single hash: for a part of a larger tree
 */
export function buildLevels(hashes: readonly Uint8Array[], heightAtLeast = 0): HashLevels {
  const first = new Uint8Array(hashes.length * HASH_BYTES);
  for (const [i, hash] of hashes.entries()) first.set(hash, i * HASH_BYTES);
  const levels: Uint8Array[] = [first];
  for (;;) {
    const level = levels.at(-1)!;
    if (level.length <= HASH_BYTES && levels.length > heightAtLeast) return levels;
    levels.push(buildParents(level));
  }
}

/** The root of the tree. */
export function rootOf(levels: HashLevels): Uint8Array {
  return levels.at(-1)!;
}

/** The hashes that lead from one of the first level to the root, the lowest first. */
export function branchOf(levels: HashLevels, index: number): Uint8Array[] {
  return levels.slice(0, -1).map((level, height) => {
    const at = index >> height;
    const sibling = (at ^ 1) * HASH_BYTES < level.length ? at ^ 1 : at;
    return level.subarray(sibling * HASH_BYTES, (sibling + 1) * HASH_BYTES);
  });
}

const pair = new Uint8Array(2 * HASH_BYTES);

function buildParents(level: Uint8Array): Uint8Array {
  const count = level.length / HASH_BYTES;
  const parents = new Uint8Array(Math.ceil(count / 2) * HASH_BYTES);
  for (let at = 0; at < count; at += 2) {
    const right = at + 1 < count ? at + 1 : at;
    pair.set(level.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
    pair.set(level.subarray(right * HASH_BYTES, (right + 1) * HASH_BYTES), HASH_BYTES);
    parents.set(sha256(sha256(pair)), (at / 2) * HASH_BYTES);
  }
  return parents;
}
