/** What a witness keeps: the newest checkpoint that it has cosigned of each log, and those that it refused. */

import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { type Checkpoint, digestOfHead } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import type { SignedLogQuery, WitnessedLogTable } from '../log-tables.ts';

/** A log that is witnessed. */
export type WitnessedLog = {
  origin: string;
  peer: string;
  size: number;
  root: Uint8Array;
  note: string;
  line: string;
};

/** Why a signed checkpoint was refused. */
export const refusalReasons = ['other_root', 'not_consistent', 'shorter', 'other_key'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Checkpoints of a log that are kept as a proof: one is enough, and nobody fills the disk. */
const MAX_REFUSED = 100;

function toWitnessed(row: WitnessedLogTable): WitnessedLog {
  const { origin, peer, size, root, note, line } = row;
  return { origin, peer, size: Number(size), root: getHexBytes(root), note, line };
}

/** The log of an origin. */
export async function findWitnessedLog(
  db: SignedLogQuery,
  origin: string,
): Promise<WitnessedLog | undefined> {
  const row = await db
    .selectFrom('witnessed_log')
    .selectAll()
    .where('origin', '=', origin)
    .executeTakeFirst();
  return row && toWitnessed(row);
}

/** All logs that are witnessed: as many as there are peers, or were. */
export async function listWitnessedLogs(db: SignedLogQuery): Promise<WitnessedLog[]> {
  return (await db.selectFrom('witnessed_log').selectAll().orderBy('origin').execute()).map(toWitnessed);
}

/** Takes up the log of a peer, unless the peer has one already; gives the one that it has. */
export async function takeUpLog(db: SignedLogQuery, peer: string, origin: string): Promise<WitnessedLog> {
  await db
    .insertInto('witnessed_log')
    .values({
      ...{ origin, peer, size: 0, root: bytesToHex(rootOfLeaves([])), note: '', line: '', cosigned_at: 0 },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('witnessed_log')
    .selectAll()
    .where((eb) => eb.or([eb('peer', '=', peer), eb('origin', '=', origin)]))
    .orderBy((eb) => eb.case().when('peer', '=', peer).then(0).else(1).end())
    .limit(1)
    .executeTakeFirstOrThrow();
  return toWitnessed(row);
}

/** Forgets what was cosigned of a peer's log; false when there was nothing. What was refused stays. */
export async function forgetWitnessedLog(db: SignedLogQuery, peer: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('witnessed_log')
    .where('peer', '=', peer)
    .returning('origin')
    .executeTakeFirst();
  return gone !== undefined;
}

/** Puts a checkpoint in the place of the one that was compared with; false when another was put there meanwhile. */
export async function replaceHead(
  db: SignedLogQuery,
  compared: WitnessedLog,
  checkpoint: Checkpoint,
  cosigned: { line: string; atSeconds: number },
): Promise<boolean> {
  const replaced = await db
    .updateTable('witnessed_log')
    .set({
      size: checkpoint.size,
      root: bytesToHex(checkpoint.root),
      note: checkpoint.note,
      line: cosigned.line,
      cosigned_at: cosigned.atSeconds,
    })
    .where('origin', '=', compared.origin)
    .where('size', '=', compared.size)
    .where('root', '=', bytesToHex(compared.root))
    .returning('origin')
    .executeTakeFirst();
  return replaced !== undefined;
}

/** Keeps a refused checkpoint with the one before; once is enough. */
export async function insertRefusal(
  db: SignedLogQuery,
  origin: string,
  refused: { checkpoint: Checkpoint; reason: RefusalReason; keptNote: string },
  nowMs: number,
): Promise<void> {
  const { count } = await db
    .selectFrom('refused_head')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('origin', '=', origin)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_REFUSED) return;
  await db
    .insertInto('refused_head')
    .values({
      origin,
      digest: digestOfHead(refused.checkpoint),
      reason: refused.reason,
      note: refused.checkpoint.note,
      kept_note: refused.keptNote,
      refused_at: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Refused checkpoints, newest first. */
export async function listRefusals(db: SignedLogQuery, limit: number) {
  return await db
    .selectFrom('refused_head')
    .selectAll()
    .orderBy('refused_at', 'desc')
    .orderBy('digest')
    .limit(limit)
    .execute();
}

/** How many there are. */
export async function countRefusals(db: SignedLogQuery): Promise<number> {
  const { count } = await db
    .selectFrom('refused_head')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
