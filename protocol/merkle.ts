import { concatBytes, equalBytes } from './bytes.ts';
import { sha256d } from './hash.ts';
import { fail, ok, type Result } from './result.ts';
import { parseTransaction } from './transaction.ts';

/** Depth of a tree of 2^32 leaves; no block comes near. */
const MAX_DEPTH = 32;

/**
 * Root over txids (internal byte order): pairs hashed twice, an odd last one paired with itself.
 * @throws RangeError when there are none.
 */
export function merkleRoot(txids: readonly Uint8Array[]): Uint8Array {
  let level = txids;
  while (level.length > 1) level = nextLevel(level);
  const [root] = level;
  if (root === undefined) throw new RangeError('a block without transactions has no merkle root');
  return root;
}

function nextLevel(level: readonly Uint8Array[]): Uint8Array[] {
  const parents: Uint8Array[] = [];
  for (let i = 0; i < level.length; i += 2) {
    parents.push(sha256d(concatBytes(level[i]!, level[i + 1] ?? level[i]!)));
  }
  return parents;
}

/**
 * The hashes that lead from one txid to the root, lowest first.
 * @throws RangeError when there is no txid at the index.
 */
export function merkleBranch(txids: readonly Uint8Array[], index: number): Uint8Array[] {
  if (!Number.isInteger(index) || index < 0 || index >= txids.length) {
    throw new RangeError(`no transaction ${index} among ${txids.length}`);
  }
  const branch: Uint8Array[] = [];
  let level = txids;
  for (let at = index; level.length > 1; at >>>= 1) {
    branch.push(level[at ^ 1] ?? level[at]!);
    level = nextLevel(level);
  }
  return branch;
}

/**
 * Checks that a txid at an index leads to the root. The index must be of the branch's depth. A branch cannot
 * tell a transaction from an inner node of 64 bytes (CVE-2017-12842). Inner nodes that read as a transaction are
 * refused here, lest a forged transaction hang below a real one (of honest nodes, one in 10^9 does); a leaf of 64
 * bytes the caller refuses by {@link isAmbiguousMerkleLeaf}.
 */
export function verifyMerkleBranch(
  txid: Uint8Array,
  branch: readonly Uint8Array[],
  index: number,
  root: Uint8Array,
  maxDepth: number = MAX_DEPTH,
): Result<true> {
  if (branch.length > Math.min(maxDepth, MAX_DEPTH)) return fail(`merkle branch has ${branch.length} steps`);
  if (!Number.isInteger(index) || index < 0 || index >= 2 ** branch.length) {
    return fail(`index ${index} is not one of a tree of depth ${branch.length}`);
  }
  if ([txid, root, ...branch].some((hash) => hash.length !== 32)) return fail('a merkle hash has 32 bytes');
  let hash = txid;
  for (const [level, sibling] of branch.entries()) {
    const isRight = Math.floor(index / 2 ** level) % 2 === 1;
    // A right node that equals its left sibling is the duplicate of an odd last one, not a transaction.
    if (isRight && equalBytes(hash, sibling)) return fail('merkle branch uses a duplicated node');
    const node = isRight ? concatBytes(sibling, hash) : concatBytes(hash, sibling);
    if (parseTransaction(node).ok) return fail('merkle branch passes through a transaction');
    hash = sha256d(node);
  }
  return equalBytes(hash, root) ? ok(true) : fail('merkle branch leads to another root');
}

/**
 * Whether a transaction of this stripped size (bytes) cannot be told from an inner node of a merkle tree, so
 * that a branch proves nothing about it.
 */
export function isAmbiguousMerkleLeaf(rawSize: number): boolean {
  return rawSize === 64;
}
