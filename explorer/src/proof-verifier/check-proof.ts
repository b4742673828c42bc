/** Checks a proof step by step, with nothing but the proof itself. */

import { blockHashOf } from '@coinfront/protocol/block.ts';
import { getHexBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { type LeafFault, verifyLeaf } from '@coinfront/protocol/proofs/verify-leaf.ts';
import { verifyProof } from '@coinfront/protocol/proofs/verify-proof.ts';
import { type MessageKey, type Told, t } from '../language/messages.ts';

/** What is needed to check an anchor without a service. */
export type ProofDocument = {
  coin: string;
  sha256: string;
  /** First four bytes of the payload, hex. */
  marker: string;
  txid: string;
  vout: number;
  position: number;
  height: number;
  block_hash: string;
  median_time: string;
  /** The transaction, with or without witness, hex. */
  tx: string;
  branch: string[];
  header: string;
  /** Where the digest stands in a tree whose root the transaction carries; absent for a digest that it carries itself. Hashes are hex. */
  leaf?: { index: number; size: number; path: string[]; root: string };
};

/** One step: whether it holds, or is left to the reader. */
export type ProofCheck = { state: 'good' | 'bad' | 'open'; text: Told };

type Step = { faults: readonly LeafFault[]; text: MessageKey };

/** The steps in which faults show, in the order in which they are judged. */
const steps: readonly Step[] = [
  {
    faults: ['transaction_malformed', 'transaction_ambiguous'],
    text: 'The transaction can be read, and cannot be taken for an inner node of a merkle tree.',
  },
  { faults: ['anchor_missing'], text: 'One of its outputs carries the marker and this digest.' },
  {
    faults: ['header_malformed', 'branch_invalid'],
    text: "The merkle branch leads from the transaction to the root in the block's header.",
  },
];

const leafSteps: readonly Step[] = [
  { faults: ['path_invalid'], text: 'The path leads from the digest to the root of a tree of digests.' },
  steps[0]!,
  { faults: ['anchor_missing'], text: 'One of its outputs carries the marker and the root of that tree.' },
  steps[2]!,
];

/** Checks the document; the last line says what only a header chain can. */
export function checkProof(proof: ProofDocument): ProofCheck[] {
  const checks: ProofCheck[] = [];
  const verdict = verify(proof);
  const fault = verdict.ok ? undefined : verdict.reason;
  const judged = proof.leaf === undefined ? steps : leafSteps;
  const failed =
    fault === undefined ? judged.length : judged.findIndex(({ faults }) => faults.includes(fault));
  for (const [index, { text }] of judged.entries()) {
    checks.push({ state: index < failed ? 'good' : index === failed ? 'bad' : 'open', text: t(text) });
  }
  if (verdict.ok) {
    checks.push({
      state:
        toDisplayHash(verdict.value.txid) === proof.txid &&
        toDisplayHash(verdict.value.blockHash) === proof.block_hash
          ? 'good'
          : 'bad',
      text: t('The ids of transaction and block are the hashes of their bytes.'),
    });
  }
  checks.push({
    state: 'open',
    text: t('That block {height} of {coin} is {hash} can be asked of any node: getblockhash {height}.', {
      height: proof.height,
      coin: proof.coin,
      hash: proof.block_hash,
    }),
  });
  return checks;
}

/** Whether nothing speaks against the proof. */
export function isGood(checks: readonly ProofCheck[]): boolean {
  return checks.every(({ state }) => state !== 'bad') && checks.some(({ state }) => state === 'good');
}

function verify(proof: ProofDocument): ReturnType<typeof verifyLeaf> {
  try {
    const branch = proof.branch.map((hash) => {
      const parsed = parseDisplayHash(hash);
      if (!parsed.ok) throw new Error(parsed.reason);
      return parsed.value;
    });
    const header = getHexBytes(proof.header);
    blockHashOf(header);
    const digest = getHexBytes(proof.sha256);
    const marker = getHexBytes(proof.marker);
    const { vout, position, leaf } = proof;
    const anchor = { rawTx: getHexBytes(proof.tx), vout, position, branch, header };
    if (leaf === undefined) return verifyProof(digest, anchor, marker);
    const place = { ...leaf, path: leaf.path.map(getHexBytes), root: getHexBytes(leaf.root) };
    return verifyLeaf(digest, place, anchor, marker);
  } catch {
    return { ok: false, reason: 'transaction_malformed' };
  }
}
