/** The Merkle tree of RFC 6962 (section 2.1): leaves and nodes are hashed apart, and nothing is paired with itself. */

import { concatBytes, equalBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
/** Levels above the leaves that a proof may have: trees of 2^52 leaves. */
const MAX_PATH = 52;

/** The hash of a leaf. */
export function hashLeaf(data: Uint8Array): Uint8Array {
  return sha256(concatBytes(LEAF, data));
}

/** The hash of two neighbours. */
export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(NODE, left, right));
}

/** The root over hashes of leaves in order; that of no leaves is the hash of nothing. */
export function rootOfLeaves(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array(0));
  let level = leaves;
  // An odd last one moves up as it is: the same tree as that of the recursive definition.
  while (level.length > 1) level = nextLevel(level);
  return level[0]!;
}

/**
 * The hashes that lead from a leaf to the root, lowest first.
 * @throws RangeError when there is no leaf at the index.
 */
export function inclusionPath(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (!Number.isInteger(index) || index < 0 || index >= leaves.length)
    throw new RangeError(`no leaf ${index} among ${leaves.length}`);
  const path: Uint8Array[] = [];
  let level = leaves;
  for (let at = index; level.length > 1; at >>>= 1) {
    const sibling = level[at ^ 1];
    if (sibling !== undefined) path.push(sibling);
    level = nextLevel(level);
  }
  return path;
}

function nextLevel(level: readonly Uint8Array[]): Uint8Array[] {
  const parents: Uint8Array[] = [];
  for (let i = 0; i < level.length; i += 2) {
    const right = level[i + 1];
    parents.push(right === undefined ? level[i]! : hashNode(level[i]!, right));
  }
  return parents;
}

/** A proof that a leaf stands at an index of a tree. */
export type InclusionProof = {
  leafHash: Uint8Array;
  index: number;
  /** Leaves of the tree. */
  size: number;
  path: readonly Uint8Array[];
  root: Uint8Array;
};

/** Checks a proof (RFC 9162, 2.1.3.2). All of it may come from anybody; no input throws. */
export function verifyInclusion({ leafHash, index, size, path, root }: InclusionProof): boolean {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index)) return false;
  if (index < 0 || index >= size || path.length > MAX_PATH) return false;
  if ([leafHash, root, ...path].some((hash) => hash.length !== 32)) return false;
  let at = index;
  let last = size - 1;
  let hash = leafHash;
  for (const sibling of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = hashNode(sibling, hash);
      // A node without sibling moved up until it had one on its left.
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
    } else hash = hashNode(hash, sibling);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equalBytes(hash, root);
}

/** For each sibling on the path of a leaf, lowest first: whether it stands on the left. */
export function siblingsOnLeft(index: number, size: number): boolean[] {
  const sides: boolean[] = [];
  let at = index;
  for (let width = size; width > 1; width = Math.ceil(width / 2)) {
    if (at % 2 === 1) sides.push(true);
    else if (at + 1 < width) sides.push(false);
    at = Math.floor(at / 2);
  }
  return sides;
}
