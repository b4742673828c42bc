/**
 * The order of a merchant's feed. Transactions commit in another order than their events were written in, so neither time nor
 * identifier says what a reader has seen. Events are therefore numbered when the feed is read, and only committed ones, by
 * one reader after the other: whatever commits later gets a higher number, and a number that was read has no gap below it.
 */

import { eventFeedDays } from '@coinfront/api/merchant-events.ts';
import { sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import type { EventFeedTable } from '../schema/webhook-tables.ts';

/** How far back the feed begins when it is read for the first time, milliseconds. */
export const eventFeedMs = eventFeedDays * 24 * 3_600_000;
/** Events of one transaction, whose rows are written anew: others wait so long. */
const BITE = 250;

/** How far a feed is numbered; undefined when it was never read. */
export async function findFeed(query: PaymentQuery, merchantId: string): Promise<EventFeedTable | undefined> {
  return await query
    .selectFrom('event_feed')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
}

/** Whether committed events have no number yet; of all, or of those that happened before a time. */
export async function hasUnnumbered(
  query: PaymentQuery,
  feed: EventFeedTable,
  beforeMs = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  const row = await query
    .selectFrom('event')
    .select('id')
    .where('merchant_id', '=', feed.merchant_id)
    .where(sql<boolean>`position is null`)
    .where('created_at', '>=', feed.begins_at)
    .where('created_at', '<', beforeMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Numbers the earliest committed events that have no number, up to a bound; the first time it makes the feed. */
export async function numberEvents(precious: Precious, merchantId: string, nowMs: number): Promise<void> {
  await precious.transaction<PaymentTables, void>(async (trx) => {
    const begun = { position: 0, position_at: 0, begins_at: nowMs - eventFeedMs, purged: 0 };
    await trx
      .insertInto('event_feed')
      .values({ merchant_id: merchantId, ...begun })
      .onConflict((conflict) => conflict.column('merchant_id').doNothing())
      .execute();
    const feed = await holdFeed(trx, merchantId);
    if (feed === undefined) return;
    // Read after the row is held: what another reader has numbered meanwhile is seen.
    const { position, position_at: at, begins_at: beginsAt } = feed;
    await sql`
      update event set position = n.position, position_at = n.position_at
      from (
        select id, cast(${position} as bigint) + row_number() over (order by created_at, sequence, id) as position,
          case when created_at > cast(${at} as bigint) then created_at else cast(${at} as bigint) end as position_at
        from (
          select id, created_at, sequence from event
          where merchant_id = ${merchantId} and position is null and created_at >= ${beginsAt}
          order by created_at, sequence, id limit ${sql.lit(BITE)}
        ) as earliest
      ) as n
      where event.id = n.id`.execute(trx);
    const last = await trx
      .selectFrom('event')
      .select(['position', 'position_at'])
      .where('merchant_id', '=', merchantId)
      .where('position', '>', position)
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return;
    await trx
      .updateTable('event_feed')
      .set({ position: last.position!, position_at: last.position_at! })
      .where('merchant_id', '=', merchantId)
      .execute();
  });
}

/** Keeps others from numbering or purging a feed until the transaction ends; undefined when there is none. */
export async function holdFeed(trx: PaymentQuery, merchantId: string): Promise<EventFeedTable | undefined> {
  // A write locks the row on both engines.
  return await trx
    .updateTable('event_feed')
    .set((row) => ({ position: row.ref('position') }))
    .where('merchant_id', '=', merchantId)
    .returningAll()
    .executeTakeFirst();
}
