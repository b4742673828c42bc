/** Rows of the ledger: entries, the coins that they amount to, standings, and the cursor. */

import type { Precious } from '../../db/precious.ts';
import { padTotal } from './ledger-rules.ts';
import type {
  CoinTable,
  ContributorTable,
  CursorTable,
  EntryTable,
  StandingTable,
  TreasuryQuery,
} from './treasury-tables.ts';

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

/** Adds coins. */
export async function insertCoins(db: TreasuryQuery, rows: readonly CoinTable[]): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    await db
      .insertInto('treasury_coin')
      .values(rows.slice(start, start + CHUNK))
      .execute();
  }
}

/** Says which entry spends a coin. */
export async function spendCoin(
  db: TreasuryQuery,
  { txid, vout }: { txid: string; vout: number },
  sequence: number,
): Promise<void> {
  await db
    .updateTable('treasury_coin')
    .set({ spent_by: sequence })
    .where('txid', '=', txid)
    .where('vout', '=', vout)
    .execute();
}

/** Takes back what an entry did to coins; gives the contributor whose verified contribution it was. */
export async function revertCoins(
  db: TreasuryQuery,
  { sequence, kind, txid, vout }: Pick<EntryTable, 'sequence' | 'kind' | 'txid' | 'vout'>,
): Promise<string | undefined> {
  if (kind === 'spend' || kind === 'fee') {
    await db.updateTable('treasury_coin').set({ spent_by: null }).where('spent_by', '=', sequence).execute();
    return undefined;
  }
  const removed = await db
    .deleteFrom('treasury_coin')
    .where('txid', '=', txid)
    .where('vout', '=', vout!)
    .returning(['contributor_id', 'verified_at'])
    .executeTakeFirst();
  return removed?.verified_at == null ? undefined : (removed.contributor_id ?? undefined);
}

/** Contributions in blocks below a height that are not verified yet. */
export async function listWaiting(db: TreasuryQuery, belowHeight: number): Promise<CoinTable[]> {
  return await db
    .selectFrom('treasury_coin')
    .selectAll()
    .where('kind', '=', 'contribution')
    .where('verified_at', 'is', null)
    .where('height', '<', belowHeight)
    .orderBy('height')
    .execute();
}

/** Sum of the contributions that are not verified yet: of one contributor, or of all. */
export async function sumWaiting(db: TreasuryQuery, contributorId?: string): Promise<bigint> {
  let query = db
    .selectFrom('treasury_coin')
    .select('value')
    .where('kind', '=', 'contribution')
    .where('verified_at', 'is', null);
  if (contributorId !== undefined) query = query.where('contributor_id', '=', contributorId);
  const rows = await query.execute();
  return rows.reduce((sum, { value }) => sum + BigInt(value), 0n);
}

/** Says that a contribution is verified, and counts it. */
export async function verifyCoin(db: TreasuryQuery, coin: CoinTable, nowMs: number): Promise<void> {
  const { contributor_id, txid, vout, value, height } = coin;
  await db
    .updateTable('treasury_coin')
    .set({ verified_at: nowMs })
    .where('txid', '=', txid)
    .where('vout', '=', vout)
    .execute();
  const before = await findStanding(db, contributor_id!);
  await putStanding(db, {
    contributor_id: contributor_id!,
    total: padTotal(BigInt(before?.total ?? '0') + BigInt(value)),
    contributions: (before?.contributions ?? 0) + 1,
    first_height: Math.min(before?.first_height ?? height, height),
  });
}

/** Counts the verified contributions of a contributor anew. */
export async function recountStanding(db: TreasuryQuery, contributorId: string): Promise<void> {
  const coins = await db
    .selectFrom('treasury_coin')
    .select(['value', 'height'])
    .where('contributor_id', '=', contributorId)
    .where('verified_at', 'is not', null)
    .execute();
  if (coins.length === 0) {
    await db.deleteFrom('treasury_standing').where('contributor_id', '=', contributorId).execute();
    return;
  }
  await putStanding(db, {
    contributor_id: contributorId,
    total: padTotal(coins.reduce((sum, { value }) => sum + BigInt(value), 0n)),
    contributions: coins.length,
    first_height: coins.reduce((least, { height }) => Math.min(least, height), Number.MAX_SAFE_INTEGER),
  });
}

/** The verified contributions of a contributor. */
export async function findStanding(
  db: TreasuryQuery,
  contributorId: string,
): Promise<StandingTable | undefined> {
  return await db
    .selectFrom('treasury_standing')
    .selectAll()
    .where('contributor_id', '=', contributorId)
    .executeTakeFirst();
}

/** Standings in their order: the largest sum first, of equal ones the earlier, then by id. */
export async function listStandings(
  db: TreasuryQuery,
  offset: number,
  limit: number,
): Promise<StandingTable[]> {
  return await db
    .selectFrom('treasury_standing')
    .selectAll()
    .orderBy('total', 'desc')
    .orderBy('first_height')
    .orderBy('contributor_id')
    .offset(offset)
    .limit(limit)
    .execute();
}

/** How many contributors have a verified contribution. */
export async function countStandings(db: TreasuryQuery): Promise<number> {
  const { count } = await db
    .selectFrom('treasury_standing')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The coins of a transaction. */
export async function listCoinsOf(db: TreasuryQuery, txid: string): Promise<CoinTable[]> {
  return await db.selectFrom('treasury_coin').selectAll().where('txid', '=', txid).orderBy('vout').execute();
}

/** The coins that intents have, by intent. */
export async function listCoinsOfIntents(
  db: TreasuryQuery,
  intentIds: readonly string[],
): Promise<Map<string, CoinTable[]>> {
  const byIntent = new Map<string, CoinTable[]>();
  if (intentIds.length === 0) return byIntent;
  const rows = await db
    .selectFrom('treasury_coin')
    .selectAll()
    .where('intent_id', 'in', intentIds)
    .orderBy('txid')
    .orderBy('vout')
    .execute();
  for (const row of rows) byIntent.set(row.intent_id!, [...(byIntent.get(row.intent_id!) ?? []), row]);
  return byIntent;
}

/** The newest coins of a contributor. */
export async function listCoinsOfContributor(
  db: TreasuryQuery,
  contributorId: string,
  limit: number,
): Promise<CoinTable[]> {
  return await db
    .selectFrom('treasury_coin')
    .selectAll()
    .where('contributor_id', '=', contributorId)
    .orderBy('height', 'desc')
    .orderBy('txid')
    .orderBy('vout')
    .limit(limit)
    .execute();
}

/** How many coins of the ledger are unspent. */
export async function countUnspent(db: TreasuryQuery): Promise<number> {
  const { count } = await db
    .selectFrom('treasury_coin')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('spent_by', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The unspent coins of the ledger after an outpoint, in the order of their outpoints. */
export async function listUnspent(
  db: TreasuryQuery,
  after: { txid: string; vout: number },
  limit: number,
): Promise<CoinTable[]> {
  return await db
    .selectFrom('treasury_coin')
    .selectAll()
    .where('spent_by', 'is', null)
    .where(({ or, and, eb }) =>
      or([eb('txid', '>', after.txid), and([eb('txid', '=', after.txid), eb('vout', '>', after.vout)])]),
    )
    .orderBy('txid')
    .orderBy('vout')
    .limit(limit)
    .execute();
}

async function putStanding(db: TreasuryQuery, row: StandingTable): Promise<void> {
  await db
    .insertInto('treasury_standing')
    .values(row)
    .onConflict((conflict) => conflict.column('contributor_id').doUpdateSet(row))
    .execute();
}

/** Contributors by their ids, for display. */
export async function listDisplays(
  db: TreasuryQuery,
  ids: readonly string[],
): Promise<Map<string, Pick<ContributorTable, 'id' | 'nickname' | 'is_public' | 'hidden_at'>>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('treasury_contributor')
    .select(['id', 'nickname', 'is_public', 'hidden_at'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
