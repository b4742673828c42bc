/** Deliveries as rows: which are due, and who has them. */

import { sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { isQueue, originOf } from './delivery-lanes.ts';

/** Any fixed number: the name of the locks of queues among the advisory locks of the database. */
const QUEUE_LOCKS = 0x71756575;
/** The same for receivers. */
const ORIGIN_LOCKS = 0x6f726967;

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

/** What was taken, and the origins that all processes together send to as much as they may. */
export type Claim = { claims: ClaimedDelivery[]; fullOrigins: ReadonlySet<string> };

/**
 * Takes those of the given deliveries that are still due and that nobody else is taking.
 *
 * @param maxPerOrigin deliveries to one origin that may be taken at a time, by all processes together
 */
export async function claimDeliveries(
  precious: Precious,
  due: readonly DueDelivery[],
  { nowMs, untilMs, maxPerOrigin }: { nowMs: number; untilMs: number; maxPerOrigin: number },
): Promise<Claim> {
  return await precious.transaction<PaymentTables, Claim>(async (trx) => {
    // Where one process has the file, nobody else is at them.
    const { open, fullOrigins } =
      precious.engine === 'sqlite'
        ? { open: due, fullOrigins: new Set<string>() }
        : await leaveFullOrigins(trx, await leaveBusyQueues(trx, due, nowMs), nowMs, maxPerOrigin);
    if (open.length === 0) return { claims: [], fullOrigins };
    const ids = open.map(({ id }) => id);
    const free = pending(trx).select('id').where('id', 'in', ids).where('next_at', '<=', nowMs);
    const claims = await trx
      .updateTable('delivery')
      .set((row) => ({ attempts: row('attempts', '+', 1), next_at: untilMs, is_taken: 1 }))
      .where('id', 'in', precious.engine === 'postgres' ? free.forUpdate().skipLocked() : free)
      .returning([
        ...(['id', 'merchant_id', 'event_id', 'url', 'lane', 'webhook_id', 'body'] as const),
        ...(['attempts', 'attempts_before'] as const),
      ])
      .execute();
    return { claims, fullOrigins };
  });
}

/**
 * Leaves out deliveries of queues of which another process is sending one. Until the transaction ends nobody else takes any
 * of these queues.
 */
async function leaveBusyQueues(
  trx: PaymentQuery,
  due: readonly DueDelivery[],
  nowMs: number,
): Promise<readonly DueDelivery[]> {
  const queues = [...new Set(due.map(({ lane }) => lane).filter(isQueue))].sort();
  if (queues.length === 0) return due;
  // One after another, and by everybody in the same order.
  for (const lane of queues)
    await sql`select pg_advisory_xact_lock(${sql.lit(QUEUE_LOCKS)}, hashtext(${lane}))`.execute(trx);
  const rows = await taken(trx, nowMs).select('lane').where('lane', 'in', queues).execute();
  const busy = new Set(rows.map(({ lane }) => lane));
  return due.filter(({ lane }) => !busy.has(lane));
}

/**
 * Leaves out deliveries to origins that others send to as much as all may. Until the transaction ends nobody else takes any for these
 * origins, so that no two of them see the same room.
 */
async function leaveFullOrigins(
  trx: PaymentQuery,
  due: readonly DueDelivery[],
  nowMs: number,
  maxPerOrigin: number,
): Promise<{ open: DueDelivery[]; fullOrigins: Set<string> }> {
  const fullOrigins = new Set<string>();
  if (due.length === 0) return { open: [], fullOrigins };
  const origins = [...new Set(due.map(({ lane }) => originOf(lane)))];
  await sql`select pg_advisory_xact_lock(${sql.lit(ORIGIN_LOCKS)}, key)
    from (select distinct hashtext(origin) as key from unnest(array[${sql.join(origins)}]::text[]) as origin order by key) as keys`.execute(
    trx,
  );
  const origin = sql<string>`split_part(lane, ' ', 2)`;
  const rows = await taken(trx, nowMs)
    .select((row) => [origin.as('origin'), row.fn.countAll<string | number>().as('count')])
    .where(origin, 'in', origins)
    .groupBy(origin)
    .execute();
  const underWay = new Map(rows.map((row) => [row.origin, Number(row.count)]));
  const open = due.filter(({ lane }) => {
    const of = originOf(lane);
    const count = underWay.get(of) ?? 0;
    if (count >= maxPerOrigin) fullOrigins.add(of);
    else underWay.set(of, count + 1);
    return count < maxPerOrigin;
  });
  return { open, fullOrigins };
}

/** Deliveries that some process is sending, or was when it died less than a claim ago. There is an index of those that are taken. */
function taken(query: PaymentQuery, nowMs: number) {
  return pending(query).where(sql<boolean>`is_taken = 1`).where('next_at', '>', nowMs);
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
