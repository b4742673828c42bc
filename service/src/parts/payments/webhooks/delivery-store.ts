/** Deliveries as rows: which are due, who has them, how they ended. */

import { sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';

/** A delivery that can be taken. */
export type DueDelivery = { id: string; lane: string };

/** A delivery that was taken: nobody else takes it until the claim runs out. */
export type ClaimedDelivery = DueDelivery & {
  merchant_id: string;
  event_id: string;
  url: string;
  /** Number of this try. */
  attempts: number;
  attempts_before: number;
};

/** How a try went. */
export type DeliveryAttempt = {
  atMs: number;
  durationMs: number;
  status: number | null;
  error: string | null;
};

/** Rows that one statement changes at most, so that no transaction is long. */
const BITE = 500;

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
  ids: readonly string[],
  nowMs: number,
  untilMs: number,
): Promise<ClaimedDelivery[]> {
  return await precious.transaction<PaymentTables, ClaimedDelivery[]>(async (trx) => {
    const free = pending(trx).select('id').where('id', 'in', ids).where('next_at', '<=', nowMs);
    return await trx
      .updateTable('delivery')
      .set((row) => ({ attempts: row('attempts', '+', 1), next_at: untilMs }))
      .where('id', 'in', precious.engine === 'postgres' ? free.forUpdate().skipLocked() : free)
      .returning(['id', 'merchant_id', 'event_id', 'url', 'lane', 'attempts', 'attempts_before'])
      .execute();
  });
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
      .set({ next_at: nowMs })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('state', '=', 'pending')
      .execute();
  }
}

/** The exact bodies of events, by event. */
export async function readEventBodies(
  precious: Precious,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await precious
    .query<PaymentTables>()
    .selectFrom('event')
    .select(['id', 'body'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** What a try changes of its delivery. */
export type DeliveryChange =
  | { state: 'delivered' | 'dead' | 'disabled'; endedAtMs: number }
  | { state: 'pending'; nextAtMs: number };

/**
 * Writes how a try went and what became of its delivery. A try that somebody else has repeated meanwhile, because its
 * claim ran out, is written but decides nothing - unless it succeeded.
 */
export async function recordAttempt(
  precious: Precious,
  { id, attempts, merchant_id, url }: ClaimedDelivery,
  { atMs, durationMs, status, error }: DeliveryAttempt,
  change: DeliveryChange,
): Promise<void> {
  const last = { last_status: status, last_error: error };
  await precious.transaction<PaymentTables, void>(async (trx) => {
    await trx
      .insertInto('delivery_attempt')
      .values({ delivery_id: id, attempt: attempts, at: atMs, duration_ms: durationMs, status, error })
      .onConflict((conflict) => conflict.columns(['delivery_id', 'attempt']).doNothing())
      .execute();
    const update = trx
      .updateTable('delivery')
      .set(
        change.state === 'pending'
          ? { ...last, next_at: change.nextAtMs }
          : { ...last, state: change.state, ended_at: change.endedAtMs },
      )
      .where('id', '=', id);
    await (change.state === 'delivered'
      ? update.where('state', '!=', 'delivered')
      : update.where('state', '=', 'pending').where('attempts', '=', attempts)
    ).execute();
    if (change.state !== 'disabled') return;
    await trx
      .insertInto('disabled_receiver')
      .values({ merchant_id, url, disabled_at: change.endedAtMs })
      .onConflict((conflict) => conflict.columns(['merchant_id', 'url']).doNothing())
      .execute();
  });
}

/** Ends all that is pending for a receiver that was disabled. */
export async function disablePending(
  precious: Precious,
  { merchant_id, lane, url }: Pick<ClaimedDelivery, 'merchant_id' | 'lane' | 'url'>,
  nowMs: number,
): Promise<void> {
  for (;;) {
    const some = pending(precious.query())
      .select('id')
      .where('lane', '=', lane)
      .where('merchant_id', '=', merchant_id)
      .where('url', '=', url)
      .limit(BITE);
    const { numUpdatedRows } = await precious
      .query<PaymentTables>()
      .updateTable('delivery')
      .set({ state: 'disabled', ended_at: nowMs })
      .where('id', 'in', precious.engine === 'postgres' ? some.forUpdate().skipLocked() : some)
      .executeTakeFirst();
    if (numUpdatedRows < BITE) return;
  }
}

/** Pending deliveries. The state is part of the text: an index of them alone is not used for a bound value. */
function pending(query: PaymentQuery) {
  return query.selectFrom('delivery').where(sql<boolean>`state = 'pending'`);
}
