/** Rows of coins: what the entries that were not taken back amount to. */

import type { CoinTable, EntryTable, TreasuryQuery } from '../schema/treasury-tables.ts';

const CHUNK = 200;

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

/** Says whose a coin is that was nobody's, or that it is nobody's, by the entry that says so. */
export async function assignCoin(
  db: TreasuryQuery,
  { txid, vout, kind, sequence, contributor_id }: EntryTable,
): Promise<void> {
  await db
    .updateTable('treasury_coin')
    .set({ kind: kind as CoinTable['kind'], sequence, contributor_id, verified_at: null })
    .where('txid', '=', txid)
    .where('vout', '=', vout!)
    .execute();
}

/** A coin. */
export async function findCoin(
  db: TreasuryQuery,
  txid: string,
  vout: number,
): Promise<CoinTable | undefined> {
  return await db
    .selectFrom('treasury_coin')
    .selectAll()
    .where('txid', '=', txid)
    .where('vout', '=', vout)
    .executeTakeFirst();
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

/** A coin, and who said whose it is where no intent had it. */
export type OwnCoin = CoinTable & Pick<EntryTable, 'assigned_by'>;

/** The newest coins of a contributor. */
export async function listCoinsOfContributor(
  db: TreasuryQuery,
  contributorId: string,
  limit: number,
): Promise<OwnCoin[]> {
  return await db
    .selectFrom('treasury_coin as coin')
    .innerJoin('treasury_entry as entry', 'entry.sequence', 'coin.sequence')
    .selectAll('coin')
    .select('entry.assigned_by')
    .where('coin.contributor_id', '=', contributorId)
    .orderBy('coin.height', 'desc')
    .orderBy('coin.txid')
    .orderBy('coin.vout')
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
