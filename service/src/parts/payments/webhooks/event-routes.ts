import { EventFeed, EventFeedQuery, type FeedEventJson } from '@coinfront/api/merchant-events.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { decodeCursor, encodeCursor } from '../../../http/cursor.ts';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import type { DeliveryTable, EventTable } from '../schema/webhook-tables.ts';
import { writeTime } from '../write-time.ts';
import { eventExamples } from './examples-events.ts';
import { readEvents } from './read-events.ts';

/** `/merchant/events`. */
export function registerEventRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant/events',
    query: EventFeedQuery,
    response: EventFeed,
    cost: 5,
    operation: {
      id: 'listEvents',
      tag: 'Webhooks',
      summary: 'The feed of all events, oldest first',
      description:
        'What webhooks tell, in an order that never changes, 90 days back: for a shop that was away, or has no webhooks. Keep ' +
        '`next_cursor` with what you have done, and ask with it again: no event is missed, and none comes twice, for as long as you ' +
        'come back within 90 days. Of one payment, go by `sequence`. The filters hold for the page, not for the cursor.',
      errors: ['cursor_expired', 'index_unavailable'],
      parameterExamples: { type: 'payment.paid', since: '2026-03-01T00:00:00Z' },
      example: eventExamples.feed,
    },
    async call({ merchant, query: { limit = pageLimits.default, cursor, type, payment_id, since } }) {
      const [after] = decodeCursor('events', merchant.id, cursor, 1) ?? [];
      const filter = {
        type,
        paymentId: payment_id,
        sinceMs: since === undefined ? undefined : readTime(since),
      };
      const { events, next, hasMore } = await readEvents(context, merchant.id, filter, after, limit);
      return {
        items: await serialiseEvents(paymentQuery(context.precious), events),
        next_cursor: encodeCursor('events', merchant.id, [next]),
        has_more: hasMore,
      };
    },
  });
}

/** @throws AppError `invalid_parameter` */
function readTime(text: string): number {
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return ms;
  throw new AppError('invalid_parameter', `The query parameter "since" is no time: ${quoteReceived(text)}.`);
}

async function serialiseEvents(query: PaymentQuery, events: readonly EventTable[]): Promise<FeedEventJson[]> {
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const rows = await query
    .selectFrom('delivery')
    .selectAll()
    .where('event_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const byEvent = Map.groupBy(rows, ({ event_id }) => event_id);
  return events.map(({ id, type, payment_id, sequence, created_at, body }) => ({
    id,
    type,
    payment_id,
    sequence,
    created_at: writeTime(created_at),
    body: JSON.parse(body) as FeedEventJson['body'],
    deliveries: (byEvent.get(id) ?? []).map(serialiseDelivery),
  }));
}

function serialiseDelivery(row: DeliveryTable): FeedEventJson['deliveries'][number] {
  const { id, url, webhook_id, state, attempts, last_status, last_error, next_at, ended_at } = row;
  return {
    ...{ id, url, webhook_id, state, last_status, last_error },
    tries: attempts,
    next_attempt_at: state === 'pending' ? writeTime(next_at) : null,
    ended_at: ended_at === null ? null : writeTime(ended_at),
  };
}
