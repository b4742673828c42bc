/** Trees of the calendar and their parts. */

import {
  type CalendarBatchTable,
  type CalendarPartTable,
  type CalendarQuery,
  PARTS_OF_BATCH,
} from './calendar-tables.ts';

/** The newest tree. */
export async function findNewestBatch(db: CalendarQuery): Promise<CalendarBatchTable | undefined> {
  const row = await db
    .selectFrom('calendar_batch')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && readBatch(row);
}

/** A tree by its number. */
export async function findBatch(db: CalendarQuery, id: number): Promise<CalendarBatchTable | undefined> {
  const row = await db.selectFrom('calendar_batch').selectAll().where('id', '=', id).executeTakeFirst();
  return row && readBatch(row);
}

/** Begins a tree. */
export async function openBatch(db: CalendarQuery, id: number): Promise<void> {
  await db
    .insertInto('calendar_batch')
    .values({ id, state: 'open', size: 0, root: '', sealed_at: 0 })
    .execute();
}

/** Fixes the root of a tree. */
export async function sealBatch(
  db: CalendarQuery,
  { id, size, root, sealed_at }: Omit<CalendarBatchTable, 'state'>,
): Promise<void> {
  await db
    .updateTable('calendar_batch')
    .set({ state: 'sealed', size, root, sealed_at })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute();
}

/** Notes how far a tree has come. */
export async function saveBatchState(
  db: CalendarQuery,
  id: number,
  state: 'sent' | 'settled',
): Promise<void> {
  await db.updateTable('calendar_batch').set({ state }).where('id', '=', id).execute();
}

/** Trees with a root that may need something yet, oldest first. */
export async function listWatched(
  db: CalendarQuery,
  after: number,
  limit: number,
): Promise<CalendarBatchTable[]> {
  const rows = await db
    .selectFrom('calendar_batch')
    .selectAll()
    .where('state', '!=', 'settled')
    .where('state', '!=', 'open')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(readBatch);
}

/** Adds a part. */
export async function insertPart(db: CalendarQuery, part: CalendarPartTable): Promise<void> {
  await db.insertInto('calendar_part').values(part).execute();
}

/** A part by its number. */
export async function findPart(db: CalendarQuery, id: number): Promise<CalendarPartTable | undefined> {
  const row = await db.selectFrom('calendar_part').selectAll().where('id', '=', id).executeTakeFirst();
  return row && { ...row, id: Number(row.id) };
}

/** The roots of the parts of a tree, in order. */
export async function listPartRoots(db: CalendarQuery, batch: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('calendar_part')
    .select('root')
    .where('id', '>=', batch * PARTS_OF_BATCH)
    .where('id', '<', (batch + 1) * PARTS_OF_BATCH)
    .orderBy('id')
    .execute();
  return rows.map(({ root }) => root);
}

function readBatch(row: CalendarBatchTable): CalendarBatchTable {
  return { ...row, id: Number(row.id), size: Number(row.size), sealed_at: Number(row.sealed_at) };
}
