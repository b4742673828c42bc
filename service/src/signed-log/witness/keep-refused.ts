/** Keeps what was not cosigned of a peer's log, and tells of it. */

import type { Checkpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import type { SignedLogTables } from '../log-tables.ts';
import { describeLog } from './peer-log.ts';
import { insertRefusal, insertUnproven, type UnprovenReason } from './refusal-store.ts';
import type { PeerContext } from './witness-peer.ts';
import type { WitnessedLog } from './witness-store.ts';

/** The log has signed two heads of one size: whoever has both knows that it was changed. */
export async function keepProof(
  { precious, now, doubts }: PeerContext,
  kept: WitnessedLog,
  checkpoint: Checkpoint,
): Promise<void> {
  await insertRefusal(precious.query<SignedLogTables>(), kept, checkpoint, now());
  doubts.alarm(
    'other_root',
    `What was ${describeLog(kept.peer)} was changed: it has signed two heads of ${kept.size} entries. /witness/refusals has both.`,
  );
}

const meanings: Record<UnprovenReason, string> = {
  not_consistent: 'its proof does not hold',
  no_proof: 'it gives no proof',
  shorter: 'it had more before',
  other_key: 'they are signed by another key',
};

/** The log was asked for a proof itself: that it has none speaks against it, and proves nothing to others. */
export async function keepUnproven(
  { precious, now, log, doubts }: PeerContext,
  kept: WitnessedLog,
  checkpoint: Checkpoint,
  reason: UnprovenReason,
): Promise<void> {
  await insertUnproven(precious.query<SignedLogTables>(), kept, { checkpoint, reason }, now());
  doubts.alarm(
    reason,
    `What is shown as ${describeLog(log.name)} has ${checkpoint.size} entries that do not go on from the ${kept.size} that were cosigned (${reason}): ${meanings[reason]}.`,
  );
}
