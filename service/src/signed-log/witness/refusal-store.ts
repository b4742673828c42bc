/** Checkpoints that a witness has not cosigned: those that prove that a log was changed, and apart from them those that do not. */

import { type Checkpoint, digestOfHead } from '@coinfront/protocol/signed-log/checkpoint.ts';
import type { RefusedHeadTable, SignedLogQuery } from '../log-tables.ts';
import type { WitnessedLog } from './witness-store.ts';

/** Why a signed checkpoint was not cosigned, where nothing proves it to others. */
export const unprovenReasons = ['not_consistent', 'no_proof', 'shorter', 'other_key'] as const;
export type UnprovenReason = (typeof unprovenReasons)[number];
export type RefusalReason = 'other_root' | UnprovenReason;

/** Checkpoints of a log that are kept for each reason: one is enough, nobody fills the disk, and none takes the place of a proof. */
const MAX_KEPT = 100;

/** Proofs, and others. */
type Kind = 'refused_head' | 'unproven_head';

/** Keeps a checkpoint that cannot be of one log with the one that was cosigned; once is enough. */
export async function insertRefusal(
  db: SignedLogQuery,
  kept: WitnessedLog,
  checkpoint: Checkpoint,
  nowMs: number,
): Promise<void> {
  await keep(db, 'refused_head', { ...describeRefused(kept, checkpoint), reason: 'other_root' }, nowMs);
}

/** Keeps a checkpoint that was not cosigned, and that proves nothing by itself; once for each reason is enough. */
export async function insertUnproven(
  db: SignedLogQuery,
  kept: WitnessedLog,
  { checkpoint, reason }: { checkpoint: Checkpoint; reason: UnprovenReason },
  nowMs: number,
): Promise<void> {
  await keep(db, 'unproven_head', { ...describeRefused(kept, checkpoint), reason }, nowMs);
}

async function keep(
  db: SignedLogQuery,
  table: Kind,
  refused: Omit<RefusedHeadTable, 'refused_at'>,
  nowMs: number,
): Promise<void> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('origin', '=', refused.origin)
    .where('reason', '=', refused.reason)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_KEPT) return;
  await db
    .insertInto(table)
    .values({ ...refused, refused_at: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function describeRefused({ origin, note }: WitnessedLog, checkpoint: Checkpoint) {
  return { origin, digest: digestOfHead(checkpoint), note: checkpoint.note, kept_note: note };
}

/** A checkpoint that was not cosigned. */
export type RefusedHead = Omit<RefusedHeadTable, 'reason'> & { reason: RefusalReason; isProof: boolean };

/** Checkpoints that were not cosigned, so many of each kind: those that prove something first, and newest first. */
export async function listRefusals(db: SignedLogQuery, limit: number): Promise<RefusedHead[]> {
  const list = async (table: Kind): Promise<RefusedHead[]> => {
    const rows = await db
      .selectFrom(table)
      .selectAll()
      .orderBy('refused_at', 'desc')
      .orderBy('digest')
      .limit(limit)
      .execute();
    const isProof = table === 'refused_head';
    return rows.map((row) => ({ ...row, reason: row.reason as RefusalReason, isProof }));
  };
  return [...(await list('refused_head')), ...(await list('unproven_head'))];
}

/** How many prove that a log was changed, and how many do not. */
export async function countRefusals(db: SignedLogQuery): Promise<{ proofs: number; unproven: number }> {
  const count = async (table: Kind) => {
    const row = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  return { proofs: await count('refused_head'), unproven: await count('unproven_head') };
}
