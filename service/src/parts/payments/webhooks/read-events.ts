/** The feed of a merchant's events, oldest first: whoever follows its cursor is told each event once, and misses none. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../errors.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import type { EventFeedTable, EventTable } from '../schema/webhook-tables.ts';
import { eventFeedMs, findFeed, hasUnnumbered, numberEvents } from './number-events.ts';

/** What is looked for. */
export type EventFilter = {
  type: string | undefined;
  paymentId: string | undefined;
  sinceMs: number | undefined;
};

/** Events in their order; `next` is the last position that was looked at. */
export type EventPage = { events: EventTable[]; next: number; hasMore: boolean };

/** Events that one request looks at for a filter, and bites that it numbers, at most. */
const WINDOW = 2_000;
const MAX_BITES = 8;

/**
 * Reads the events after a position; those of the last 90 days where none is given.
 *
 * @throws AppError `cursor_expired` when events after it were purged, or it is ahead of what this database has
 */
export async function readEvents(
  { precious, now }: Pick<PaymentContext, 'precious' | 'now'>,
  merchantId: string,
  filter: EventFilter,
  after: number | undefined,
  limit: number,
): Promise<EventPage> {
  const query = paymentQuery(precious);
  for (let bites = 0; ; bites += 1) {
    const feed = await findFeed(query, merchantId);
    if (feed !== undefined) {
      if (after !== undefined && after > feed.position) throw expired('it is ahead of all events');
      const start = after ?? (await findStart(query, feed, filter.sinceMs ?? now() - eventFeedMs));
      const page = await readPage(query, feed, filter, start, limit);
      await checkPurged(query, merchantId, after);
      const isBehind = page.next < feed.position;
      const hasMore = isBehind || (await hasUnnumbered(query, feed));
      if (isBehind || !hasMore || page.events.length === limit || bites >= MAX_BITES) {
        return { ...page, hasMore };
      }
    }
    await numberEvents(precious, merchantId, now());
    // Requests are answered by the same thread.
    await nextTurn();
  }
}

/** The position before the first one at which the time is not earlier; the last one when there is none. */
async function findStart(query: PaymentQuery, feed: EventFeedTable, sinceMs: number): Promise<number> {
  const first = await query
    .selectFrom('event')
    .select('position')
    .where('merchant_id', '=', feed.merchant_id)
    .where('position_at', '>=', sinceMs)
    .where('position', 'is not', null)
    .orderBy('position_at')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return feed.position;
  // A cursor below what was purged is refused: who begins anew does not get one.
  return Math.max(first.position! - 1, feed.purged);
}

/** What is numbered, and nothing above: all of that is committed, whatever comes meanwhile. */
async function readPage(
  query: PaymentQuery,
  feed: EventFeedTable,
  { type, paymentId, sinceMs }: EventFilter,
  start: number,
  limit: number,
): Promise<Omit<EventPage, 'hasMore'>> {
  const end = paymentId === undefined ? Math.min(feed.position, start + WINDOW) : feed.position;
  let found = query
    .selectFrom('event')
    .selectAll()
    .where('position', '>', start)
    .where('position', '<=', end)
    .orderBy('position')
    .limit(limit);
  // Each by its own index: a payment has few events, and all of them are of one merchant.
  found =
    paymentId === undefined
      ? found.where('merchant_id', '=', feed.merchant_id).where('position', 'is not', null)
      : found.where('payment_id', '=', paymentId);
  if (type !== undefined) found = found.where('type', '=', type);
  if (sinceMs !== undefined) found = found.where('created_at', '>=', sinceMs);
  const events = (await found.execute()).filter(({ merchant_id }) => merchant_id === feed.merchant_id);
  const last = events.length === limit ? events.at(-1)!.position! : undefined;
  return { events, next: last ?? end };
}

/** After the events were read: whatever is purged later was among them. */
async function checkPurged(
  query: PaymentQuery,
  merchantId: string,
  after: number | undefined,
): Promise<void> {
  if (after === undefined) return;
  const feed = await findFeed(query, merchantId);
  if (feed !== undefined && after < feed.purged) throw expired('events after it were purged');
}

function expired(reason: string): AppError {
  const detail = `The cursor leads nowhere: ${reason}. Begin anew without one, and read the payments that matter.`;
  return new AppError('cursor_expired', detail);
}
