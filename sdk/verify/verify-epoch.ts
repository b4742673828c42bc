import type { EpochProofJson } from '@coinfront/api/registry.ts';
import { bytesToHex, parseHex } from '@coinfront/protocol/bytes.ts';
import {
  type EpochSummary,
  hashRegistryText,
  leafOfReceipt,
  type Receipt,
  verifyRegistrySignature,
  writeRegistryText,
} from '@coinfront/protocol/registry/receipt.ts';
import { digestOfHead, logOrigin, openCheckpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { hashLeaf, rootOfLeaves, verifyInclusion } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { type ProofVerdict, type VerifyProofOptions, verifyProof } from './verify-proof.ts';

/** Why a proof of an epoch proves nothing. */
export const EPOCH_FAULTS = {
  epoch_malformed: 'The answer has not the form of an epoch with its proof.',
  other_registry: 'The epoch or the log is of another registry than the one that is trusted.',
  other_chain: 'The epoch is of another chain.',
  signature_invalid: 'The registry has not signed the epoch, or the checkpoint.',
  not_in_log: 'The epoch is not in the log at this checkpoint.',
} as const;
export type EpochFault = keyof typeof EPOCH_FAULTS;

/** What is known of an epoch after it was checked without any service. */
export type EpochVerdict =
  | {
      ok: true;
      summary: EpochSummary;
      /** Entries of the log at the checkpoint. */
      entries: number;
      /** What the chain has of the checkpoint, as {@link verifyProof} says; undefined where nothing was given to it. */
      anchor: ProofVerdict | undefined;
    }
  | { ok: false; code: EpochFault };

/**
 * Checks offline that an epoch is in the log of its registry, and the log in the chain. A good anchor in a block soon after the
 * epoch's end shows that it was not changed since; without one, only who kept a checkpoint knows ({@link followLog}).
 *
 * @param trusted.registryKey - Ed25519, hex, from a source other than the proof: the key that signed the epoch
 * @param trusted.logKey - the key of the log, where the registry has taken another one since: its log has the epochs of before, too
 * @param options - how the anchor is checked, such as `trustedBlock`
 * @example
 * const verdict = verifyEpoch(await proveEpoch(client, { epoch }), { registryKey, genesisHash }, { trustedBlock });
 */
export function verifyEpoch(
  proof: EpochProofJson,
  trusted: { registryKey: string; genesisHash: string; logKey?: string | undefined },
  options: VerifyProofOptions = {},
): EpochVerdict {
  const { registryKey, genesisHash, logKey = registryKey } = trusted;
  // It may come from a file that somebody has kept: anything.
  const given = (typeof proof === 'object' && proof !== null ? proof : {}) as Partial<EpochProofJson>;
  const summary = given.epoch?.summary as EpochSummary | null | undefined;
  if (typeof summary !== 'object' || summary === null || !Array.isArray(given.path))
    return { ok: false, code: 'epoch_malformed' };
  if (summary.registry_key !== registryKey) return { ok: false, code: 'other_registry' };
  if (summary.network !== genesisHash) return { ok: false, code: 'other_chain' };
  if (!verifyRegistrySignature(summary, String(given.epoch?.signature)))
    return { ok: false, code: 'signature_invalid' };
  const origin = logOrigin('node-registry', logKey);
  const opened = openCheckpoint(String(given.checkpoint), { origin, publicKey: logKey });
  if (!opened.ok)
    return { ok: false, code: opened.fault === 'other_log' ? 'other_registry' : 'signature_invalid' };
  const { checkpoint } = opened;
  const isIncluded = verifyInclusion({
    leafHash: hashLeaf(new TextEncoder().encode(writeRegistryText(summary))),
    index: Number(given.index),
    size: checkpoint.size,
    path: given.path.map(readHash),
    root: checkpoint.root,
  });
  if (!isIncluded) return { ok: false, code: 'not_in_log' };
  const anchor = given.anchor ? verifyProof(digestOfHead(checkpoint), given.anchor, options) : undefined;
  return { ok: true, summary, entries: checkpoint.size, anchor };
}

/**
 * Whether these are the receipts of an epoch: all of them, in their order, each after the one before, and no others. The hash that the first
 * one follows is of the epoch before.
 *
 * @example
 * const isWhole = verifyEpochReceipts(verdict.summary, receipts);
 */
export function verifyEpochReceipts(summary: EpochSummary, receipts: readonly Receipt[]): boolean {
  const hashes = receipts.map((receipt) => hashRegistryText(writeRegistryText(receipt)));
  const isNext = ({ sequence, epoch, network, previous_hash }: Receipt, i: number) =>
    sequence === summary.first_sequence + i &&
    epoch === summary.epoch &&
    network === summary.network &&
    (i === 0 || previous_hash === hashes[i - 1]);
  return (
    receipts.length === summary.receipts &&
    receipts.every(isNext) &&
    hashes.at(-1) === summary.last_hash &&
    bytesToHex(rootOfLeaves(hashes.map(leafOfReceipt))) === summary.merkle_root
  );
}

/** What is no hash fits no proof. */
function readHash(text: unknown): Uint8Array {
  const hash = parseHex(String(text));
  return hash.ok ? hash.value : new Uint8Array(0);
}
