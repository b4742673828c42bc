import type { FeedEventJson } from '@coinfront/api/merchant-events.ts';

/** A webhook whose signature was right. */
export type ArrivedWebhook = { readonly id: string; readonly body: string };

/** Types of which two may follow each other: they tell of money, not of a status. */
const REPEATABLE = new Set(['payment.received', 'payment.late']);
const MADE = 'payment.created';

/**
 * What is wrong with a feed: each payment's events are numbered from 1 without a gap, and no status is told twice in a row. The feed is
 * not in the order of their numbers.
 */
export function judgeFeed(events: Iterable<FeedEventJson>): string[] {
  const problems: string[] = [];
  const last = new Map<string, FeedEventJson>();
  for (const event of [...events].sort((a, b) => a.sequence - b.sequence)) {
    if (event.payment_id === null) continue;
    const before = last.get(event.payment_id);
    last.set(event.payment_id, event);
    const wanted = (before?.sequence ?? 0) + 1;
    if (event.sequence !== wanted)
      problems.push(`${event.payment_id}: event ${event.id} has sequence ${event.sequence}, not ${wanted}`);
    if ((before === undefined) !== (event.type === MADE))
      problems.push(`${event.payment_id}: event ${wanted} is ${event.type}`);
    if (event.type === before?.type && !REPEATABLE.has(event.type))
      problems.push(`${event.payment_id}: ${event.type} is told twice in a row`);
    const body = event.body as { id?: string; type?: string; sequence?: number };
    if (body.id !== event.id || body.type !== event.type || body.sequence !== event.sequence)
      problems.push(`${event.payment_id}: the body of ${event.id} is another event's`);
  }
  return problems;
}

/** What is wrong with what arrived: an event that the feed does not have, or has otherwise. */
export function judgeArrivals(
  arrived: readonly ArrivedWebhook[],
  feed: ReadonlyMap<string, FeedEventJson>,
): string[] {
  return arrived.flatMap(({ id, body }) => {
    const event = feed.get(id);
    if (event === undefined) return [`webhook ${id} arrived and is not in the feed: ${body.slice(0, 200)}`];
    const isSame = JSON.stringify(JSON.parse(body)) === JSON.stringify(event.body);
    return isSame ? [] : [`webhook ${id} says something else than the feed: ${body.slice(0, 200)}`];
  });
}
