import { hashLeaf, verifyInclusion } from '../signed-log/merkle-tree.ts';
import { DIGEST_BYTES } from './anchor.ts';
import { type AnchorProof, PROOF_FAULTS, type VerifiedProof, verifyProof } from './verify-proof.ts';

/** Why the proof of a leaf proves nothing, in the order in which it is judged. */
export const LEAF_FAULTS = {
  path_invalid: 'The path does not lead from the digest to the root of the tree.',
  ...PROOF_FAULTS,
} as const;

/** The codes of {@link LEAF_FAULTS}. */
export type LeafFault = keyof typeof LEAF_FAULTS;

/** Where a digest stands in a tree whose root is anchored. */
export type LeafPlace = {
  index: number;
  /** Leaves of the tree. */
  size: number;
  /** Siblings from the leaf up. */
  path: readonly Uint8Array[];
  root: Uint8Array;
};

/** Checks offline that a digest is a leaf of a tree, and that the root of the tree stands in a block (docs/protocols/proofs.md). */
export function verifyLeaf(
  digest: Uint8Array,
  { index, size, path, root }: LeafPlace,
  anchor: AnchorProof,
  marker: Uint8Array,
): { ok: true; value: VerifiedProof } | { ok: false; reason: LeafFault } {
  const leads =
    digest.length === DIGEST_BYTES &&
    verifyInclusion({ leafHash: hashLeaf(digest), index, size, path, root });
  return leads ? verifyProof(root, anchor, marker) : { ok: false, reason: 'path_invalid' };
}
