/** Rows of the ledger: its entries, and the cursor that says up to which block it is kept. */

import type { Precious } from '../../../db/precious.ts';
import type { CursorTable, EntryTable, SealTable, TreasuryQuery } from '../schema/treasury-tables.ts';
import type { SteppingEntry } from './balance-steps.ts';

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

/** Entries above a number as the balance of blocks follows from them, oldest first. */
export async function listSteppingEntries(
  db: TreasuryQuery,
  above: number,
  limit: number,
): Promise<SteppingEntry[]> {
  return await db
    .selectFrom('treasury_entry as entry')
    .leftJoin('treasury_entry as original', 'original.sequence', 'entry.reverses')
    .select(['entry.kind', 'entry.height', 'entry.amount', 'entry.balance', 'entry.assigned_by'])
    .select('original.kind as reversed_kind')
    .where('entry.sequence', '>', above)
    .orderBy('entry.sequence')
    .limit(limit)
    .execute();
}

/** An entry with the one that takes it back, the note about it, and its seal. */
export type ListedEntry = EntryTable & {
  reversed_by: number | null;
  /** What the operator says of a spend, as the ledger says it. */
  note_sequence: number | null;
  note_purpose: string | null;
  note_payee: string | null;
  /** Of a note: the block that its transaction spends in now; null while it is in none. */
  spend_height: number | null;
} & MaybeSealed;

/** The columns of a seal: null for an entry that was written before there were any, until the first start behind that. */
export type MaybeSealed = { [Name in keyof Omit<SealTable, 'sequence'>]: SealTable[Name] | null };

/** Whether an entry has a seal. */
export function isSealed<T extends MaybeSealed>(row: T): row is T & Omit<SealTable, 'sequence'> {
  return row.hash !== null;
}

function selectListed(db: TreasuryQuery) {
  return db
    .selectFrom('treasury_entry as entry')
    .leftJoin('treasury_entry as taker', 'taker.reverses', 'entry.sequence')
    .leftJoin('treasury_seal as seal', 'seal.sequence', 'entry.sequence')
    .leftJoin('treasury_note as note', (join) =>
      join.onRef('note.txid', '=', 'entry.txid').on('entry.kind', '=', 'spend'),
    )
    .leftJoin('treasury_entry as noted', 'noted.sequence', 'note.sequence')
    .selectAll('entry')
    .select([
      'taker.sequence as reversed_by',
      'noted.sequence as note_sequence',
      'noted.purpose as note_purpose',
      'noted.payee as note_payee',
    ])
    .select(({ selectFrom }) =>
      selectFrom('treasury_entry as spend')
        .leftJoin('treasury_entry as back', 'back.reverses', 'spend.sequence')
        .select('spend.height')
        .where('entry.kind', '=', 'note')
        .whereRef('spend.txid', '=', 'entry.txid')
        .where('spend.kind', '=', 'spend')
        .where('back.sequence', 'is', null)
        .limit(1)
        .as('spend_height'),
    )
    .select(['seal.previous_hash', 'seal.salt', 'seal.hash', 'seal.service_key', 'seal.signature']);
}

/** Entries below a number, newest first. */
export async function listEntries(db: TreasuryQuery, below: number, limit: number): Promise<ListedEntry[]> {
  return await selectListed(db)
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
  return await selectListed(db)
    .where('entry.sequence', '>', above)
    .orderBy('entry.sequence')
    .limit(limit)
    .execute();
}

/** An entry by its number. */
export async function findEntry(db: TreasuryQuery, sequence: number): Promise<ListedEntry | undefined> {
  return await selectListed(db).where('entry.sequence', '=', sequence).executeTakeFirst();
}

/** The newest spend of a transaction. */
export async function findSpend(db: TreasuryQuery, txid: string): Promise<EntryTable | undefined> {
  return await db
    .selectFrom('treasury_entry')
    .selectAll()
    .where('txid', '=', txid)
    .where('kind', '=', 'spend')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The newest entry by which an output is nobody's. */
export async function findGift(
  db: TreasuryQuery,
  { txid, vout }: Pick<EntryTable, 'txid' | 'vout'>,
): Promise<EntryTable> {
  return await db
    .selectFrom('treasury_entry')
    .selectAll()
    .where('txid', '=', txid)
    .where('vout', '=', vout)
    .where('kind', '=', 'unattributed')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}
