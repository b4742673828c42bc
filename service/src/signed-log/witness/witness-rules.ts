/** What a witness does with a checkpoint (C2SP `tlog-witness`). */

import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { TreeHead } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { verifyConsistency } from '@coinfront/protocol/signed-log/verify-consistency.ts';

/** `cosign`, or a refusal: by its status, and whether both checkpoints together prove that the log was changed. */
export type WitnessVerdict =
  | { kind: 'cosign' }
  | { kind: 'refuse'; status: 400 | 409 | 422; isProof: boolean };

/**
 * Judges a checkpoint that the log has signed.
 *
 * @param kept - the newest one that was cosigned; empty before
 * @param oldSize - the size that whoever asks takes it for
 */
export function judgeHead(
  kept: Omit<TreeHead, 'origin'>,
  checkpoint: Omit<TreeHead, 'origin'>,
  { oldSize, path }: { oldSize: number; path: readonly Uint8Array[] },
): WitnessVerdict {
  // Before the first nothing was signed that it could contradict.
  const isOther = kept.size > 0 && hasOtherRoot(kept, checkpoint);
  if (oldSize > checkpoint.size) return { kind: 'refuse', status: 400, isProof: isOther };
  if (oldSize !== kept.size || isOther) return { kind: 'refuse', status: 409, isProof: isOther };
  const isContinued = verifyConsistency({
    ...{ oldSize: kept.size, oldRoot: kept.root, newSize: checkpoint.size, newRoot: checkpoint.root },
    path,
  });
  // A path that does not fit anybody can send: that alone says nothing of the log.
  return isContinued ? { kind: 'cosign' } : { kind: 'refuse', status: 422, isProof: false };
}

/** Whether two heads are of one size and cannot be of one log. */
export function hasOtherRoot(kept: Omit<TreeHead, 'origin'>, checkpoint: Omit<TreeHead, 'origin'>): boolean {
  return checkpoint.size === kept.size && !equalBytes(checkpoint.root, kept.root);
}
