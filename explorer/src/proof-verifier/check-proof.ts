/** Checks a proof step by step, with nothing but the proof itself. */

import { blockHashOf } from '@coinfront/protocol/block.ts';
import { getHexBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { type ProofFault, verifyProof } from '@coinfront/protocol/proofs/verify-proof.ts';
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
};

/** One step: whether it holds, or is left to the reader. */
export type ProofCheck = { state: 'good' | 'bad' | 'open'; text: Told };

/** The steps in which faults show, in the order in which they are judged. */
const steps: readonly { faults: readonly ProofFault[]; text: MessageKey }[] = [
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

/** Checks the document; the last line says what only a header chain can. */
export function checkProof(proof: ProofDocument): ProofCheck[] {
  const checks: ProofCheck[] = [];
  const verdict = verify(proof);
  const fault = verdict.ok ? undefined : verdict.reason;
  const failed = fault === undefined ? steps.length : steps.findIndex(({ faults }) => faults.includes(fault));
  for (const [index, { text }] of steps.entries()) {
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

function verify(proof: ProofDocument): ReturnType<typeof verifyProof> {
  try {
    const branch = proof.branch.map((hash) => {
      const parsed = parseDisplayHash(hash);
      if (!parsed.ok) throw new Error(parsed.reason);
      return parsed.value;
    });
    const header = getHexBytes(proof.header);
    blockHashOf(header);
    return verifyProof(
      getHexBytes(proof.sha256),
      { rawTx: getHexBytes(proof.tx), vout: proof.vout, position: proof.position, branch, header },
      getHexBytes(proof.marker),
    );
  } catch {
    return { ok: false, reason: 'transaction_malformed' };
  }
}
