/** Reads what an audit compares. */

import type { StandingTable, TreasuryQuery } from '../schema/treasury-tables.ts';
import type { AuditedEntry } from './check-entry.ts';

/** Entries above a number, oldest first, each with the rows that have to agree with it. */
export async function listAuditedEntries(
  db: TreasuryQuery,
  above: number,
  limit: number,
): Promise<AuditedEntry[]> {
  return await db
    .selectFrom('treasury_entry as entry')
    .leftJoin('treasury_entry as taker', 'taker.reverses', 'entry.sequence')
    .leftJoin('treasury_entry as taken', 'taken.sequence', 'entry.reverses')
    .leftJoin('treasury_seal as seal', 'seal.sequence', 'entry.sequence')
    .leftJoin('treasury_intent as intent', 'intent.id', 'entry.intent_id')
    .leftJoin('treasury_coin as coin', (join) =>
      join.onRef('coin.txid', '=', 'entry.txid').onRef('coin.vout', '=', 'entry.vout'),
    )
    .selectAll('entry')
    .select([
      'taker.sequence as reversed_by',
      'taken.amount as taken_amount',
      'taken.kind as taken_kind',
      'taken.txid as taken_txid',
      'taken.contributor_id as taken_contributor_id',
      'seal.previous_hash',
      'seal.salt',
      'seal.hash',
      'seal.service_key',
      'seal.signature',
      'intent.contributor_id as intent_owner',
      'coin.sequence as coin_sequence',
      'coin.value as coin_value',
      'coin.kind as coin_kind',
      'coin.height as coin_height',
      'coin.block_hash as coin_block_hash',
      'coin.contributor_id as coin_contributor_id',
      'coin.intent_id as coin_intent_id',
      'coin.late as coin_late',
      'coin.verified_at as coin_verified_at',
      'coin.spent_by as coin_spent_by',
    ])
    .where('entry.sequence', '>', above)
    .orderBy('entry.sequence')
    .limit(limit)
    .execute();
}

/** Standings after a contributor, in the order of their ids. */
export async function listStandingsAfter(
  db: TreasuryQuery,
  contributorId: string,
  limit: number,
): Promise<StandingTable[]> {
  return await db
    .selectFrom('treasury_standing')
    .selectAll()
    .where('contributor_id', '>', contributorId)
    .orderBy('contributor_id')
    .limit(limit)
    .execute();
}

/** How many coins there are. */
export async function countCoins(db: TreasuryQuery): Promise<number> {
  const { count } = await db
    .selectFrom('treasury_coin')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
