/** Heads that a log has signed and not proved yet. */

import type { TreeHead } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { verifyConsistency } from '@coinfront/protocol/signed-log/verify-consistency.ts';
import { fetchPath } from './fetch-path.ts';
import { keepProof, keepUnproven } from './keep-refused.ts';
import { PATIENT_POLLS } from './peer-doubts.ts';
import type { PeerContext } from './witness-peer.ts';
import { hasOtherRoot } from './witness-rules.ts';
import type { WitnessedLog } from './witness-store.ts';

/**
 * Asks the log once more for the proof that a head of before and the one that was cosigned are of one log. Only that settles it: other heads
 * that the log shows in between do not.
 */
export async function lookAtPending(context: PeerContext, kept: WitnessedLog): Promise<void> {
  const { doubts } = context;
  const { pending } = doubts;
  if (pending === undefined) return;
  const { checkpoint, reason } = pending;
  if (checkpoint.origin !== kept.origin || (await areOfOneLog(context, kept, checkpoint))) {
    doubts.pending = undefined;
    return;
  }
  pending.polls += 1;
  if (pending.polls < PATIENT_POLLS) return;
  doubts.pending = undefined;
  if (hasOtherRoot(kept, checkpoint)) await keepProof(context, kept, checkpoint);
  else await keepUnproven(context, kept, checkpoint, reason);
}

/** Whether the log proves that one of two of its heads goes on from the other. */
export async function areOfOneLog(
  { client, log }: PeerContext,
  a: Omit<TreeHead, 'origin'>,
  b: Omit<TreeHead, 'origin'>,
): Promise<boolean> {
  const [from, to] = a.size < b.size ? [a, b] : [b, a];
  if (from.size === to.size) return !hasOtherRoot(a, b);
  // The empty tree begins every log: it says of none that it is the same.
  if (from.size === 0) return false;
  const fetched = await fetchPath(client, log, { from: from.size, to: to.size });
  const heads = { oldSize: from.size, oldRoot: from.root, newSize: to.size, newRoot: to.root };
  return fetched.kind === 'path' && verifyConsistency({ ...heads, path: fetched.path });
}
