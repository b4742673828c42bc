/** What a witness keeps of each log: the newest checkpoint that it has cosigned. */

import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { Checkpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import type { SignedLogQuery, WitnessedLogTable } from '../log-tables.ts';
import { listPeerLogs } from './peer-log.ts';

/** A log that is witnessed. */
export type WitnessedLog = {
  origin: string;
  /** Names the log of the peer that has it. */
  peer: string;
  size: number;
  root: Uint8Array;
  note: string;
  line: string;
};

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

/** All logs that are witnessed: as many for each peer as there are kinds. */
export async function listWitnessedLogs(db: SignedLogQuery): Promise<WitnessedLog[]> {
  return (await db.selectFrom('witnessed_log').selectAll().orderBy('origin').execute()).map(toWitnessed);
}

/** Takes up the log of this name of a peer, unless there is one already; gives the one that there is. */
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

/** The log of this name of a peer. */
export async function findLogOfPeer(db: SignedLogQuery, peer: string): Promise<WitnessedLog | undefined> {
  const row = await db.selectFrom('witnessed_log').selectAll().where('peer', '=', peer).executeTakeFirst();
  return row && toWitnessed(row);
}

/** Gives the log of a peer that is none any more to the peer that shows it; as it is where another process did so. */
export async function adoptLog(db: SignedLogQuery, log: WitnessedLog, peer: string): Promise<WitnessedLog> {
  await db
    .updateTable('witnessed_log')
    .set({ peer })
    .where('origin', '=', log.origin)
    .where('peer', '=', log.peer)
    .execute();
  return (await findWitnessedLog(db, log.origin)) ?? log;
}

/** Forgets what was cosigned of all logs of a peer, by its URL; false when there was nothing. What was refused stays. */
export async function forgetPeerLogs(db: SignedLogQuery, peer: string): Promise<boolean> {
  const names = listPeerLogs(peer).map(({ name }) => name);
  const gone = await db
    .deleteFrom('witnessed_log')
    .where('peer', 'in', names)
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
