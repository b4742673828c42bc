/** A tree that is kept as parts of neighbouring leaves: its root and its paths follow from one part and the roots of all. */

import { hashLeaf, inclusionPath, rootOfLeaves } from '../signed-log/merkle-tree.ts';

/** The root over the leaves of these digests, in order. */
export function rootOfDigests(digests: readonly Uint8Array[]): Uint8Array {
  return rootOfLeaves(digests.map(hashLeaf));
}

/** The root of a tree over the roots of its parts. All parts but the last have the same number of leaves, a power of two. */
export function rootOfParts(roots: readonly Uint8Array[]): Uint8Array {
  return rootOfLeaves(roots);
}

/**
 * The hashes that lead from a leaf to the root of the whole tree, lowest first.
 *
 * @param digests - of its part
 * @param place - of the leaf in its part
 * @param roots - of all parts
 * @param part - place of its part
 * @throws RangeError where there is no such leaf
 */
export function pathThroughParts(
  digests: readonly Uint8Array[],
  place: number,
  roots: readonly Uint8Array[],
  part: number,
): Uint8Array[] {
  return [...inclusionPath(digests.map(hashLeaf), place), ...inclusionPath(roots, part)];
}
