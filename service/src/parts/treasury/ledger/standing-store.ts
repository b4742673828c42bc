/** Rows of standings: what each contributor's verified contributions come to. */

import type { CoinTable, StandingTable, TreasuryQuery } from '../schema/treasury-tables.ts';
import { padTotal } from './ledger-rules.ts';

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

async function putStanding(db: TreasuryQuery, row: StandingTable): Promise<void> {
  await db
    .insertInto('treasury_standing')
    .values(row)
    .onConflict((conflict) => conflict.column('contributor_id').doUpdateSet(row))
    .execute();
}
