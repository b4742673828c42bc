/** Rows of statements: what this service and its peers have signed of their looks. */

import type { NodeLooks, SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import { writeRegistryText } from '@coinfront/protocol/registry/receipt.ts';
import type { RegistryQuery, RegistryStatementTable } from '../schema/registry-tables.ts';
import { SECOND_STATEMENTS } from './vantage-bounds.ts';

/** A statement as lists name it. */
export type StatementEntry = Pick<RegistryStatementTable, 'hash' | 'vantage'> & {
  slotStartMs: number;
  slotEndMs: number;
  receivedAtMs: number;
  isSecond: boolean;
};

/** How many statements of one vantage point and slot are kept: two are a proof, and more prove no more. */
const KEPT = 2;

/**
 * Keeps a statement that was checked, unless two of this slot are here.
 *
 * @returns `second` when it contradicts one that is here; `known` when nothing was kept
 */
export async function insertStatement(
  db: RegistryQuery,
  { statement, hash, signature }: SignedLooks,
  nowMs: number,
): Promise<'first' | 'second' | 'known'> {
  const slotStartMs = Date.parse(statement.slot.from);
  const held = await listHashes(db, statement.registry_key, slotStartMs);
  if (held.includes(hash) || held.length >= KEPT) return 'known';
  await db
    .insertInto('registry_statement')
    .values({
      ...{ hash, vantage: statement.registry_key, slot_start: slotStartMs },
      ...{ slot_end: Date.parse(statement.slot.to), document: writeRegistryText(statement), signature },
      ...{ received_at: nowMs, is_second: held.length },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return held.length === 0 ? 'first' : 'second';
}

async function listHashes(db: RegistryQuery, vantage: string, slotStartMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('registry_statement')
    .select('hash')
    .where('slot_start', '=', slotStartMs)
    .where('vantage', '=', vantage)
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Vantage points whose statements are not taken: they have signed two of a slot too often lately, and each would be kept for good. */
export async function listUntaken(db: RegistryQuery, nowMs: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('registry_statement')
    .select('vantage')
    .where('is_second', '=', 1)
    .where('received_at', '>', nowMs - SECOND_STATEMENTS.withinMs)
    .groupBy('vantage')
    .having(({ fn }) => fn.countAll(), '>=', SECOND_STATEMENTS.most)
    .execute();
  return new Set(rows.map(({ vantage }) => vantage));
}

/** A statement by its hash. */
export async function findStatement(db: RegistryQuery, hash: string): Promise<SignedLooks | undefined> {
  const row = await findStatementText(db, hash);
  return row && { statement: JSON.parse(row.document) as NodeLooks, hash, signature: row.signature };
}

/** The same, with the statement as RFC 8785 writes it. */
export async function findStatementText(
  db: RegistryQuery,
  hash: string,
): Promise<Pick<RegistryStatementTable, 'document' | 'signature'> | undefined> {
  return await db
    .selectFrom('registry_statement')
    .select(['document', 'signature'])
    .where('hash', '=', hash)
    .executeTakeFirst();
}

/** The first statement of a vantage point of a slot. */
export async function findStatementOf(
  db: RegistryQuery,
  vantage: string,
  slotStartMs: number,
): Promise<SignedLooks | undefined> {
  const [hash] = await listHashes(db, vantage, slotStartMs);
  return hash === undefined ? undefined : await findStatement(db, hash);
}

/** Statements from a slot on, or from a place in the list, newest slot first, then by vantage point. */
export async function listStatements(
  db: RegistryQuery,
  options: { fromMs?: number; after?: { slotStartMs: number; skip: number } | undefined; limit: number },
): Promise<StatementEntry[]> {
  const { fromMs, after, limit } = options;
  let query = db
    .selectFrom('registry_statement')
    .select(['hash', 'vantage', 'slot_start', 'slot_end', 'received_at', 'is_second'])
    .orderBy('slot_start', 'desc')
    .orderBy('vantage')
    .orderBy('is_second')
    .limit(limit)
    .offset(after?.skip ?? 0);
  if (fromMs !== undefined) query = query.where('slot_start', '>=', fromMs);
  if (after !== undefined) query = query.where('slot_start', '<=', after.slotStartMs);
  return (await query.execute()).map((row) => ({
    ...{ hash: row.hash, vantage: row.vantage, slotStartMs: Number(row.slot_start) },
    ...{ slotEndMs: Number(row.slot_end), receivedAtMs: Number(row.received_at) },
    isSecond: Number(row.is_second) === 1,
  }));
}

/** The end of the last slot of which each vantage point's statement is here. */
export async function listLastSlots(
  db: RegistryQuery,
  vantages: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (vantages.length === 0) return new Map();
  const rows = await db
    .selectFrom('registry_statement')
    .select(({ fn }) => ['vantage', fn.max<number>('slot_end').as('last')])
    .where('vantage', 'in', vantages)
    .groupBy('vantage')
    .execute();
  return new Map(rows.map(({ vantage, last }) => [vantage, Number(last)]));
}

/** Vantage points with a statement of the newest slot, and statements that contradict another. */
export async function countStatements(db: RegistryQuery): Promise<{ inLastSlot: number; second: number }> {
  const [newest] = await listStatements(db, { limit: 1 });
  const count = async (column: 'slot_start' | 'is_second', value: number, isSecond: number) => {
    const row = await db
      .selectFrom('registry_statement')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(column, '=', value)
      .where('is_second', '=', isSecond)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  return {
    inLastSlot: newest === undefined ? 0 : await count('slot_start', newest.slotStartMs, 0),
    second: await count('is_second', 1, 1),
  };
}
