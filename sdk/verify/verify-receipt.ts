import type { ReceiptProofView } from '@coinfront/api/registry.ts';
import { parseHex } from '@coinfront/protocol/bytes.ts';
import {
  type EpochSummary,
  hashRegistryText,
  leafOfReceipt,
  type Receipt,
  verifyRegistrySignature,
  writeRegistryText,
} from '@coinfront/protocol/registry/receipt.ts';
import { verifyInclusion } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import type { Static } from 'typebox';

/** Why a receipt proves nothing. */
export const RECEIPT_FAULTS = {
  receipt_malformed: 'The answer has not the form of a receipt with its proof.',
  other_registry: 'The receipt or its epoch is of another registry than the one that is trusted.',
  other_chain: 'The receipt is of another chain.',
  signature_invalid: 'The registry has not signed the receipt, or its epoch.',
  not_included: "The receipt is not under its epoch's root.",
} as const;
export type ReceiptFault = keyof typeof RECEIPT_FAULTS;

/** An answer of `/receipts/{sequence}/proof`. */
export type ReceiptProof = Static<typeof ReceiptProofView>;

/**
 * Checks offline that a registry issued a receipt, and, once its epoch is closed, that the epoch holds it. The signatures
 * alone keep nobody who has the key from signing another receipt and another epoch: that the epoch is still the one that was signed first,
 * {@link followLog} shows to who has kept a checkpoint, and {@link auditLog} and {@link verifyEpoch} to who reads the chain. That what a
 * receipt says is true only the registry's looks at the node can show.
 *
 * @param trusted.registryKey - Ed25519, hex, from a source other than the proof
 * @returns `isFinal`: whether the epoch is closed and holds it
 * @example
 * const verdict = verifyReceipt(await proveReceipt(client, { sequence }), { registryKey, genesisHash });
 */
export function verifyReceipt(
  proof: ReceiptProof,
  trusted: { registryKey: string; genesisHash: string },
): { ok: true; receipt: Receipt; isFinal: boolean } | { ok: false; code: ReceiptFault } {
  // It may come from a file that somebody has kept: anything.
  if (typeof proof !== 'object' || proof === null) return { ok: false, code: 'receipt_malformed' };
  const receipt = proof.receipt as Receipt;
  const summary = (proof.epoch?.summary ?? undefined) as EpochSummary | undefined;
  const documents = [receipt, ...(summary === undefined ? [] : [summary])];
  if (typeof receipt !== 'object' || receipt === null || !Array.isArray(proof.path)) {
    return { ok: false, code: 'receipt_malformed' };
  }
  if (documents.some(({ registry_key }) => registry_key !== trusted.registryKey)) {
    return { ok: false, code: 'other_registry' };
  }
  if (documents.some(({ network }) => network !== trusted.genesisHash))
    return { ok: false, code: 'other_chain' };
  const signatures = [proof.signature, proof.epoch?.signature];
  if (!documents.every((document, i) => verifyRegistrySignature(document, String(signatures[i])))) {
    return { ok: false, code: 'signature_invalid' };
  }
  if (summary === undefined) return { ok: true, receipt, isFinal: false };
  return isIncluded(proof, receipt, summary)
    ? { ok: true, receipt, isFinal: true }
    : { ok: false, code: 'not_included' };
}

function isIncluded({ index, size, path }: ReceiptProof, receipt: Receipt, summary: EpochSummary): boolean {
  const root = parseHex(String(summary.merkle_root));
  const steps = path.map((step) => parseHex(String(step)));
  if (!root.ok || steps.some((step) => !step.ok)) return false;
  const isNamed =
    receipt.epoch === summary.epoch &&
    size === summary.receipts &&
    receipt.sequence >= summary.first_sequence &&
    receipt.sequence <= summary.last_sequence;
  return (
    isNamed &&
    verifyInclusion({
      leafHash: leafOfReceipt(hashRegistryText(writeRegistryText(receipt))),
      index,
      size,
      path: steps.map((step) => (step as { value: Uint8Array }).value),
      root: root.value,
    })
  );
}
