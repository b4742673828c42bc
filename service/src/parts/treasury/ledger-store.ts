/** Rows of the ledger: its entries, and the cursor that says up to which block it is kept. */

import type { Precious } from '../../db/precious.ts';
import type { CursorTable, EntryTable, TreasuryQuery } from './treasury-tables.ts';

const CURSOR = 'ledger';
const CHUNK = 200;

/** Up to where the ledger is kept; undefined before its first block. */
export async function findCursor(db: TreasuryQuery): Promise<CursorTable | undefined> {
  return await db.selectFrom('treasury_cursor').selectAll().where('id', '=', CURSOR).executeTakeFirst();
}

/** Makes the cursor of an empty ledger, below the first block; one that is there stays. */
export async function createCursor(db: TreasuryQuery, script: string, totals: string): Promise<void> {
  await db
    .insertInto('treasury_cursor')
    .values({
      id: CURSOR,
      script,
      height: -1,
      hash: '',
      version: 0,
      sequence: 0,
      balance: '0',
      totals,
      standings: 0,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Keeps others from moving the cursor until the transaction ends; false when somebody has moved it since `from` was
 * read.
 */
export async function holdCursor(
  db: TreasuryQuery,
  engine: Precious['engine'],
  from: CursorTable,
): Promise<boolean> {
  const present = db.selectFrom('treasury_cursor').select('version').where('id', '=', CURSOR);
  const row = await (engine === 'postgres' ? present.forUpdate() : present).executeTakeFirst();
  return row?.version === from.version;
}

/** Moves the cursor, which the transaction holds. */
export async function moveCursor(
  db: TreasuryQuery,
  from: CursorTable,
  to: Omit<CursorTable, 'id' | 'script' | 'version'>,
): Promise<void> {
  await db
    .updateTable('treasury_cursor')
    .set({ ...to, version: from.version + 1 })
    .where('id', '=', CURSOR)
    .where('version', '=', from.version)
    .execute();
}

/** Adds entries. */
export async function insertEntries(db: TreasuryQuery, rows: readonly EntryTable[]): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    await db
      .insertInto('treasury_entry')
      .values(rows.slice(start, start + CHUNK))
      .execute();
  }
}

type BalanceAfter = { height: number; balance: string };

/** The balance after the entry of a number, with its block. */
export async function findBalanceAfter(
  db: TreasuryQuery,
  sequence: number,
): Promise<BalanceAfter | undefined> {
  const [found] = await listBalancesAfter(db, [sequence]);
  return found;
}

/** The balances after some entries, in their order. */
export async function listBalancesAfter(
  db: TreasuryQuery,
  sequences: readonly number[],
): Promise<BalanceAfter[]> {
  if (sequences.length === 0) return [];
  return await db
    .selectFrom('treasury_entry')
    .select(['height', 'balance'])
    .where('sequence', 'in', sequences)
    .orderBy('sequence')
    .execute();
}

/** An entry with the one that takes it back. */
export type ListedEntry = EntryTable & { reversed_by: number | null };

/** Entries below a number, newest first. */
export async function listEntries(db: TreasuryQuery, below: number, limit: number): Promise<ListedEntry[]> {
  return await db
    .selectFrom('treasury_entry as entry')
    .leftJoin('treasury_entry as taker', 'taker.reverses', 'entry.sequence')
    .selectAll('entry')
    .select('taker.sequence as reversed_by')
    .where('entry.sequence', '<', below)
    .orderBy('entry.sequence', 'desc')
    .limit(limit)
    .execute();
}

/** Entries above a number, oldest first. */
export async function listEntriesAbove(
  db: TreasuryQuery,
  above: number,
  limit: number,
): Promise<ListedEntry[]> {
  return await db
    .selectFrom('treasury_entry as entry')
    .leftJoin('treasury_entry as taker', 'taker.reverses', 'entry.sequence')
    .selectAll('entry')
    .select('taker.sequence as reversed_by')
    .where('entry.sequence', '>', above)
    .orderBy('entry.sequence')
    .limit(limit)
    .execute();
}

/** Entries below a number that moved something and were not taken back, newest first. */
export async function listStanding(db: TreasuryQuery, below: number, limit: number): Promise<EntryTable[]> {
  return await db
    .selectFrom('treasury_entry as entry')
    .leftJoin('treasury_entry as taker', 'taker.reverses', 'entry.sequence')
    .selectAll('entry')
    .where('entry.sequence', '<', below)
    .where('entry.kind', '!=', 'reversal')
    .where('taker.sequence', 'is', null)
    .orderBy('entry.sequence', 'desc')
    .limit(limit)
    .execute();
}
