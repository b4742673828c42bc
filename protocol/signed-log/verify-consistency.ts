import { equalBytes } from '../bytes.ts';
import { hashNode, rootOfLeaves } from './merkle-tree.ts';

/** A proof that a tree goes on from an earlier one. */
export type ConsistencyProof = {
  oldSize: number;
  oldRoot: Uint8Array;
  newSize: number;
  newRoot: Uint8Array;
  path: readonly Uint8Array[];
};

/** Hashes that a proof may have. */
export const MAX_CONSISTENCY_PATH = 63;

/**
 * Checks that the leaves of the old tree begin the new one (RFC 9162, 2.1.4.2). The empty tree, of which there is one, begins every other, and
 * a tree goes on from itself: both without any hash. All of it may come from anybody; no input throws.
 */
export function verifyConsistency({ oldSize, oldRoot, newSize, newRoot, path }: ConsistencyProof): boolean {
  if (!Number.isSafeInteger(oldSize) || !Number.isSafeInteger(newSize)) return false;
  if (oldSize < 0 || oldSize > newSize || path.length > MAX_CONSISTENCY_PATH) return false;
  if ([oldRoot, newRoot, ...path].some((hash) => hash.length !== 32)) return false;
  if (oldSize === 0 && !equalBytes(oldRoot, rootOfLeaves([]))) return false;
  if (oldSize === 0 && newSize > 0) return path.length === 0;
  if (oldSize === newSize) return path.length === 0 && equalBytes(oldRoot, newRoot);
  // A whole subtree is its own first hash.
  const [first, ...rest] = isPowerOfTwo(oldSize) ? [oldRoot, ...path] : path;
  if (first === undefined) return false;
  let at = oldSize - 1;
  let last = newSize - 1;
  while (at % 2 === 1) {
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  let ofOld = first;
  let ofNew = first;
  for (const hash of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      ofOld = hashNode(hash, ofOld);
      ofNew = hashNode(hash, ofNew);
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
    } else ofNew = hashNode(ofNew, hash);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equalBytes(ofOld, oldRoot) && equalBytes(ofNew, newRoot);
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value)) && 2 ** Math.log2(value) === value;
}
