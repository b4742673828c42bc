/** Deliveries as their merchant sees them. */

import { type DeliveryJson, shownAttempts } from '@coinfront/api/webhooks.ts';
import type { TimedPlace } from '../../../http/cursor.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type {
  DeliveryAttemptTable,
  DeliveryState,
  DeliveryTable,
  EventTable,
} from '../schema/webhook-tables.ts';
import { writeTime } from '../write-time.ts';

/** What is looked for. */
export type DeliveryFilter = { state: DeliveryState | undefined; paymentId: string | undefined };

/** A page; `next` is where the next one begins, undefined at the end. */
export type DeliveryPage = { items: DeliveryJson[]; next: TimedPlace | undefined };

type Row = DeliveryTable & Pick<EventTable, 'type' | 'payment_id' | 'sequence'>;

/** Lists a merchant's deliveries below a place, newest first. */
export async function listDeliveries(
  query: PaymentQuery,
  merchantId: string,
  { state, paymentId }: DeliveryFilter,
  below: TimedPlace | undefined,
  limit: number,
): Promise<DeliveryPage> {
  let found = selectRows(query)
    .where('delivery.merchant_id', '=', merchantId)
    .orderBy('delivery.created_at', 'desc')
    .orderBy('delivery.id', 'desc')
    .limit(limit + 1);
  if (state !== undefined) found = found.where('delivery.state', '=', state);
  if (paymentId !== undefined) found = found.where('event.payment_id', '=', paymentId);
  if (below !== undefined) {
    found = found.where((row) =>
      row.and([
        row('delivery.created_at', '<=', below.atMs),
        row.or([row('delivery.created_at', '<', below.atMs), row('delivery.id', '<', below.id)]),
      ]),
    );
  }
  const rows = await found.execute();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    items: await serialise(query, shown),
    next: last && { atMs: last.created_at, id: last.id },
  };
}

/** One of a merchant's deliveries. */
export async function findDelivery(
  query: PaymentQuery,
  merchantId: string,
  id: string,
): Promise<DeliveryJson | undefined> {
  const rows = await selectRows(query)
    .where('delivery.id', '=', id)
    .where('delivery.merchant_id', '=', merchantId)
    .execute();
  return (await serialise(query, rows))[0];
}

function selectRows(query: PaymentQuery) {
  return query
    .selectFrom('delivery')
    .innerJoin('event', 'event.id', 'delivery.event_id')
    .selectAll('delivery')
    .select(['event.type', 'event.payment_id', 'event.sequence']);
}

async function serialise(query: PaymentQuery, rows: readonly Row[]): Promise<DeliveryJson[]> {
  if (rows.length === 0) return [];
  const attempts = await query
    .selectFrom('delivery_attempt')
    .selectAll()
    .where(
      'delivery_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('attempt')
    .execute();
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) => ({
    id: row.id,
    event_id: row.event_id,
    type: row.type,
    payment_id: row.payment_id,
    sequence: row.sequence,
    url: row.url,
    webhook_id: row.webhook_id,
    state: row.state,
    attempts: (byDelivery.get(row.id) ?? []).slice(-shownAttempts).map(serialiseAttempt),
    next_attempt_at: row.state === 'pending' ? writeTime(row.next_at) : null,
    created_at: writeTime(row.created_at),
    ended_at: row.ended_at === null ? null : writeTime(row.ended_at),
  }));
}

function serialiseAttempt({ attempt, at, duration_ms, status, error }: DeliveryAttemptTable) {
  return { attempt, at: writeTime(at), duration_ms, status, error };
}
