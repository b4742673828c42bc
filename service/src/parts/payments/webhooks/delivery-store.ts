/** Deliveries as rows: which are due, and who has them. */

import { sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { isQueue } from './delivery-rules.ts';

/** Any fixed number: the name of the locks of queues among the advisory locks of the database. */
const QUEUE_LOCKS = 0x71756575;

/** A delivery that can be taken. */
export type DueDelivery = { id: string; lane: string };

/** A delivery that was taken: nobody else takes it until the claim runs out. */
export type ClaimedDelivery = DueDelivery & {
  merchant_id: string;
  event_id: string;
  url: string;
  /** The endpoint that it is for; null for the receiver that payment or merchant name. */
  webhook_id: string | null;
  /** What is sent instead of the event's own body; null: that is. */
  body: string | null;
  /** Number of this try. */
  attempts: number;
  attempts_before: number;
};

/** Deliveries that are due, the longest waiting first. */
export async function listDue(precious: Precious, nowMs: number, limit: number): Promise<DueDelivery[]> {
  return await pending(precious.query())
    .select(['id', 'lane'])
    .where('next_at', '<=', nowMs)
    .orderBy('next_at')
    .limit(limit)
    .execute();
}

/** Deliveries of one lane that are due, the longest waiting first. */
export async function listDueOfLane(
  precious: Precious,
  lane: string,
  nowMs: number,
  limit: number,
): Promise<DueDelivery[]> {
  return await pending(precious.query())
    .select(['id', 'lane'])
    .where('lane', '=', lane)
    .where('next_at', '<=', nowMs)
    .orderBy('next_at')
    .limit(limit)
    .execute();
}

/**
 * Up to `limit` lanes that have pending deliveries, in the order of their names after `after`, each with the time that
 * its first is due. Costs two steps down an index for each lane, however many deliveries wait in it.
 */
export async function listLanes(
  precious: Precious,
  after: string,
  limit: number,
): Promise<{ lane: string; next_at: number }[]> {
  const { rows } = await sql<{ lane: string; next_at: number }>`
    with recursive walk (lane, n) as (
      select (select min(lane) from delivery where state = 'pending' and lane > ${after}), 1
      union all
      select (select min(lane) from delivery where state = 'pending' and lane > walk.lane), n + 1
        from walk where walk.lane is not null and n < cast(${limit} as bigint))
    select lane, (select min(next_at) from delivery where state = 'pending' and lane = walk.lane) as next_at
      from walk where lane is not null`.execute(precious.query());
  return rows;
}

/** When the next delivery is due, also one that was taken and may be lost; undefined when none is pending. */
export async function findNextDue(precious: Precious, afterMs: number): Promise<number | undefined> {
  const row = await pending(precious.query())
    .select('next_at')
    .where('next_at', '>', afterMs)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_at;
}

/** Takes those of the given deliveries that are still due and that nobody else is taking. */
export async function claimDeliveries(
  precious: Precious,
  due: readonly DueDelivery[],
  nowMs: number,
  untilMs: number,
): Promise<ClaimedDelivery[]> {
  return await precious.transaction<PaymentTables, ClaimedDelivery[]>(async (trx) => {
    const ids = await leaveBusyQueues(trx, precious.engine, due, nowMs);
    if (ids.length === 0) return [];
    const free = pending(trx).select('id').where('id', 'in', ids).where('next_at', '<=', nowMs);
    return await trx
      .updateTable('delivery')
      .set((row) => ({ attempts: row('attempts', '+', 1), next_at: untilMs, is_taken: 1 }))
      .where('id', 'in', precious.engine === 'postgres' ? free.forUpdate().skipLocked() : free)
      .returning([
        ...(['id', 'merchant_id', 'event_id', 'url', 'lane', 'webhook_id', 'body'] as const),
        ...(['attempts', 'attempts_before'] as const),
      ])
      .execute();
  });
}

/**
 * Leaves out deliveries of queues of which another process is sending one. Until the transaction ends nobody else takes any
 * of these queues.
 */
async function leaveBusyQueues(
  trx: PaymentQuery,
  engine: Precious['engine'],
  due: readonly DueDelivery[],
  nowMs: number,
): Promise<string[]> {
  const queues = [...new Set(due.map(({ lane }) => lane).filter(isQueue))].sort();
  // Without any, or where one process has the file, nobody else is at them.
  if (queues.length === 0 || engine === 'sqlite') return due.map(({ id }) => id);
  // One after another, and by everybody in the same order.
  for (const lane of queues)
    await sql`select pg_advisory_xact_lock(${sql.lit(QUEUE_LOCKS)}, hashtext(${lane}))`.execute(trx);
  const taken = await pending(trx)
    .select('lane')
    .where('lane', 'in', queues)
    .where(sql<boolean>`is_taken = 1`)
    .where('next_at', '>', nowMs)
    .execute();
  const busy = new Set(taken.map(({ lane }) => lane));
  return due.flatMap(({ id, lane }) => (busy.has(lane) ? [] : [id]));
}

/** Gives back what was taken and not tried to its end; it is due at once. */
export async function releaseDeliveries(
  precious: Precious,
  claims: readonly ClaimedDelivery[],
  nowMs: number,
): Promise<void> {
  for (const { id, attempts } of claims) {
    await precious
      .query<PaymentTables>()
      .updateTable('delivery')
      .set({ next_at: nowMs, is_taken: 0 })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('state', '=', 'pending')
      .execute();
  }
}

/** Pending deliveries. The state is part of the text: an index of them alone is not used for a bound value. */
export function pending(query: PaymentQuery) {
  return query.selectFrom('delivery').where(sql<boolean>`state = 'pending'`);
}
