import { blockHashOf, parseHeader } from '../block.ts';
import { isAmbiguousMerkleLeaf, verifyMerkleBranch } from '../merkle.ts';
import { parseTransaction, transactionSizes, txidOf } from '../transaction.ts';
import { isAnchorOf } from './anchor.ts';

/** Why a proof proves nothing, in the order in which it is judged. */
export const PROOF_FAULTS = {
  transaction_malformed: 'The transaction of the proof cannot be parsed.',
  transaction_ambiguous:
    'The transaction has 64 bytes without witness, so it cannot be told from an inner node of a merkle tree.',
  anchor_missing: 'The output of the proof does not anchor the digest.',
  header_malformed: 'The header of the proof has not 80 bytes.',
  branch_invalid: "The merkle branch does not lead from the transaction to the header's merkle root.",
} as const;

/** The codes of {@link PROOF_FAULTS}. */
export type ProofFault = keyof typeof PROOF_FAULTS;

/** What a proof carries. Hashes are in internal byte order. */
export type AnchorProof = {
  /** The transaction, with or without witness: the txid alone does not show what the transaction anchors. */
  rawTx: Uint8Array;
  vout: number;
  /** Index of the transaction in its block. */
  position: number;
  branch: Uint8Array[];
  /** The 80 bytes of the block's header. */
  header: Uint8Array;
};

/** What a good proof shows; that the block is of the best chain is for the caller's own headers to say. */
export type VerifiedProof = { txid: Uint8Array; blockHash: Uint8Array; time: number };

/** Checks offline that a digest stands in a block (docs/protocols/proofs.md). */
export function verifyProof(
  digest: Uint8Array,
  proof: AnchorProof,
  marker: Uint8Array,
): { ok: true; value: VerifiedProof } | { ok: false; reason: ProofFault } {
  const tx = parseTransaction(proof.rawTx);
  if (!tx.ok) return { ok: false, reason: 'transaction_malformed' };
  if (isAmbiguousMerkleLeaf(transactionSizes(tx.value).strippedSize)) {
    return { ok: false, reason: 'transaction_ambiguous' };
  }
  const script = tx.value.outputs[proof.vout]?.script;
  if (script === undefined || !isAnchorOf(script, marker, digest)) {
    return { ok: false, reason: 'anchor_missing' };
  }
  const header = parseHeader(proof.header);
  if (!header.ok) return { ok: false, reason: 'header_malformed' };
  const txid = txidOf(tx.value);
  const branch = verifyMerkleBranch(txid, proof.branch, proof.position, header.value.merkleRoot);
  if (!branch.ok) return { ok: false, reason: 'branch_invalid' };
  return { ok: true, value: { txid, blockHash: blockHashOf(proof.header), time: header.value.time } };
}
