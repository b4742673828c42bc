/**
 * Which hashes of a tree (RFC 6962, section 2.1) prove what: as ranges of leaves, whose roots whoever holds the tree looks up. A log of
 * millions of leaves is proved by the roots of a few dozen ranges, and not read.
 */

import { hashNode } from './merkle-tree.ts';

/** Leaves from one to another, which is not in it. Its root is that of the tree of these leaves. */
export type LeafRange = { from: number; to: number };

/** A whole subtree: the leaves from `index * 2^level` on, `2^level` of them. */
export type Subtree = { level: number; index: number };

/**
 * The ranges whose roots lead from a leaf to the root of the first `size` leaves (2.1.1), lowest first.
 *
 * @throws RangeError when there is no such leaf
 */
export function listInclusionRanges(index: number, size: number): LeafRange[] {
  if (!isWhole(index) || !isWhole(size) || index >= size)
    throw new RangeError(`no leaf ${index} among ${size}`);
  const ranges: LeafRange[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.reverse();
}

/**
 * The ranges whose roots prove that the first `oldSize` leaves begin the first `newSize` (2.1.2); none where one of them is
 * empty, or both are the same.
 *
 * @throws RangeError when the first is larger
 */
export function listConsistencyRanges(oldSize: number, newSize: number): LeafRange[] {
  if (!isWhole(oldSize) || !isWhole(newSize) || oldSize > newSize)
    throw new RangeError(`${oldSize} leaves cannot begin ${newSize}`);
  if (oldSize === 0 || oldSize === newSize) return [];
  const ranges: LeafRange[] = [];
  let from = 0;
  let to = newSize;
  // Until the old leaves that are left are a subtree of their own.
  while (to !== oldSize) {
    const middle = from + splitOf(to - from);
    if (oldSize <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  // Who checks has the root of the old tree: where that is the subtree itself, it is not repeated.
  if (from !== 0) ranges.push({ from, to });
  return ranges.reverse();
}

/** The whole subtrees that a range of {@link listInclusionRanges} or {@link listConsistencyRanges} is made of, largest first. */
export function splitIntoSubtrees({ from, to }: LeafRange): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = from; at < to; ) {
    const level = levelBelow(to - at + 1);
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}

/** The root of a range, of the roots of the subtrees that {@link splitIntoSubtrees} lists. */
export function joinSubtrees(roots: readonly Uint8Array[]): Uint8Array {
  return roots.reduceRight((right, left) => hashNode(left, right));
}

/** How many leaves are on the left: the largest power of two below their number. */
function splitOf(leaves: number): number {
  return 2 ** levelBelow(leaves);
}

/** The largest level whose subtree has fewer leaves. */
function levelBelow(leaves: number): number {
  let level = 0;
  while (2 ** (level + 1) < leaves) level += 1;
  return level;
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
