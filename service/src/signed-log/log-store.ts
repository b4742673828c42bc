/** Reads what is stored of signed logs. */

import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { Checkpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import {
  joinSubtrees,
  type LeafRange,
  type Subtree,
  splitIntoSubtrees,
} from '@coinfront/protocol/signed-log/merkle-ranges.ts';
import { rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { TILE_LEVELS } from '@coinfront/protocol/signed-log/tiles.ts';
import type { LogHeadTable, SignedLogQuery } from './log-tables.ts';

/** What is stored is not what was signed: nothing is signed any more. */
export class LogBrokenError extends Error {
  override readonly name = 'LogBrokenError';
}

/** Rows that one statement adds. */
const ROWS = 500;

/** The newest checkpoint of a log. */
export async function findHead(db: SignedLogQuery, origin: string): Promise<Checkpoint | undefined> {
  const row = await db
    .selectFrom('signed_log_head')
    .selectAll()
    .where('origin', '=', origin)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toCheckpoint(row);
}

/** The checkpoint of a log at a size, where one was signed. */
export async function findHeadAt(
  db: SignedLogQuery,
  origin: string,
  size: number,
): Promise<Checkpoint | undefined> {
  const row = await db
    .selectFrom('signed_log_head')
    .selectAll()
    .where('origin', '=', origin)
    .where('size', '=', size)
    .executeTakeFirst();
  return row && toCheckpoint(row);
}

/** Checkpoints of a log above a size, smallest first. */
export async function listHeads(
  db: SignedLogQuery,
  origin: string,
  above: number,
  limit: number,
): Promise<Checkpoint[]> {
  const rows = await db
    .selectFrom('signed_log_head')
    .selectAll()
    .where('origin', '=', origin)
    .where('size', '>', above)
    .orderBy('size')
    .limit(limit)
    .execute();
  return rows.map(toCheckpoint);
}

function toCheckpoint({ origin, size, root, note }: LogHeadTable): Checkpoint {
  return { origin, size: Number(size), root: getHexBytes(root), note };
}

/** Entries from a place on, in their order. */
export async function listEntries(
  db: SignedLogQuery,
  origin: string,
  from: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('signed_log_entry')
    .select('entry')
    .where('origin', '=', origin)
    .where('place', '>=', from)
    .orderBy('place')
    .limit(limit)
    .execute();
  return rows.map(({ entry }) => entry);
}

/** Hashes of a level of tiles from a place on, in their order. */
export async function listTreeHashes(
  db: SignedLogQuery,
  origin: string,
  { level, from, count }: { level: number; from: number; count: number },
): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('signed_log_hash')
    .select('hash')
    .where('origin', '=', origin)
    .where('level', '=', level)
    .where('place', '>=', from)
    .where('place', '<', from + count)
    .orderBy('place')
    .execute();
  return rows.map(({ hash }) => getHexBytes(hash));
}

/** The root of a range that a proof asks for, of what is stored: at most 255 rows for each of its subtrees. */
export async function findRangeRoot(
  db: SignedLogQuery,
  origin: string,
  range: LeafRange,
): Promise<Uint8Array> {
  const roots: Uint8Array[] = [];
  for (const subtree of splitIntoSubtrees(range)) roots.push(await findSubtreeRoot(db, origin, subtree));
  return roots.length === 0 ? rootOfLeaves([]) : joinSubtrees(roots);
}

async function findSubtreeRoot(
  db: SignedLogQuery,
  origin: string,
  { level, index }: Subtree,
): Promise<Uint8Array> {
  const count = 2 ** (level % TILE_LEVELS);
  const place = { level: Math.floor(level / TILE_LEVELS), from: index * count, count };
  const hashes = await listTreeHashes(db, origin, place);
  if (hashes.length !== count) throw new LogBrokenError(`The log ${origin} lacks hashes of its tree.`);
  return rootOfLeaves(hashes);
}

/** Adds entries from a place on. */
export async function insertEntries(
  trx: SignedLogQuery,
  origin: string,
  from: number,
  entries: readonly string[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += ROWS) {
    const rows = entries
      .slice(start, start + ROWS)
      .map((entry, i) => ({ origin, place: from + start + i, entry }));
    await trx.insertInto('signed_log_entry').values(rows).execute();
  }
}

/** Adds hashes of a level of tiles from a place on. */
export async function insertTreeHashes(
  trx: SignedLogQuery,
  origin: string,
  level: number,
  from: number,
  hashes: readonly Uint8Array[],
): Promise<void> {
  for (let start = 0; start < hashes.length; start += ROWS) {
    const rows = hashes
      .slice(start, start + ROWS)
      .map((hash, i) => ({ origin, level, place: from + start + i, hash: bytesToHex(hash) }));
    await trx.insertInto('signed_log_hash').values(rows).execute();
  }
}

/** Adds a checkpoint that was signed. */
export async function insertHead(
  trx: SignedLogQuery,
  { origin, size, root, note }: Checkpoint,
  nowMs: number,
): Promise<void> {
  await trx
    .insertInto('signed_log_head')
    .values({ origin, size, root: bytesToHex(root), note, signed_at: nowMs })
    .execute();
}
