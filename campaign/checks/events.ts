import { setTimeout as delay } from 'node:timers/promises';
import type { EventFeedJson, FeedEventJson } from '@coinfront/api/merchant-events.ts';
import type { DeliveryListJson } from '@coinfront/api/webhooks.ts';
import { verifyWebhook } from '../../sdk/webhooks/verify-webhook.ts';
import { type ArrivedWebhook, judgeArrivals, judgeFeed } from '../promises/judge-events.ts';
import { type Checked, need } from './checked.ts';

type Followed = Pick<Checked, 'rig' | 'record'>;

/** The receiver has its own clock; that of the service is moved. */
const ANY_TIME_SECONDS = 10 * 365 * 86_400;
/** So often the clock is moved on to the next try of what is still to be delivered. */
const MOVES = 60;
const MOVED_PAUSE_MS = 700;
const LONGEST_DRAIN_SECONDS = 3 * 86_400;

/** Reads on in the feed of events. */
export async function followFeed({ rig, record }: Followed): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const cursor = record.feedCursor === undefined ? '' : `&cursor=${record.feedCursor}`;
    const path = `/api/v1/merchant/events?limit=100${cursor}`;
    const page: EventFeedJson = need(path, await rig.client.getAsMerchant(path));
    for (const event of page.items) record.addEvent(event);
    record.feedCursor = page.next_cursor;
    hasMore = page.has_more;
  }
}

/** The feed has no gap, and what came to the receiver is signed and in the feed. */
export async function checkEvents({ rig, record }: Followed): Promise<string[]> {
  // First what arrived: its event was written before it was sent.
  record.arrived.push(...rig.inbox.take());
  await followFeed({ rig, record });
  const arrived: ArrivedWebhook[] = [];
  for (const { headers, body } of record.arrived) {
    // Throws where the signature is not right.
    await verifyWebhook(body, headers, rig.merchant.webhookSecret, { toleranceSeconds: ANY_TIME_SECONDS });
    arrived.push({ id: String(headers['webhook-id']), body: body.toString() });
  }
  const problems = [...judgeFeed(record.events.values()), ...judgeArrivals(arrived, record.events)];
  if (problems.length === 0) record.arrived.length = 0;
  return problems;
}

/** The feed, read from its beginning, is what it was; what it calls delivered has been taken by the receiver. */
export async function checkWholeFeed({ rig, record }: Followed): Promise<string[]> {
  const problems: string[] = [];
  const seen: FeedEventJson[] = [];
  for (let cursor = '', hasMore = true; hasMore; ) {
    const path = `/api/v1/merchant/events?limit=100${cursor}`;
    const page: EventFeedJson = need(path, await rig.client.getAsMerchant(path));
    seen.push(...page.items);
    cursor = `&cursor=${page.next_cursor}`;
    hasMore = page.has_more;
  }
  const before = [...record.events.keys()];
  seen.slice(0, before.length).forEach(({ id }, i) => {
    if (id !== before[i]) problems.push(`event ${i} of the feed was ${before[i]} and is ${id}`);
  });
  if (seen.length < before.length)
    problems.push(`the feed had ${before.length} events and has ${seen.length}`);
  for (const { id, body, deliveries } of seen) {
    const known = record.events.get(id);
    if (known && JSON.stringify(known.body) !== JSON.stringify(body))
      problems.push(`event ${id} has changed`);
    for (const { state } of deliveries) {
      if (state === 'delivered' && !rig.inbox.hasTaken(id))
        problems.push(`event ${id} is called delivered, and the receiver never took it`);
      if (state === 'dead' || state === 'disabled') problems.push(`the delivery of event ${id} is ${state}`);
    }
  }
  return problems;
}

/** Everything that waits is delivered when its time comes: the clock is moved on to it, and back at the end. */
export async function checkDelivered({ rig, record }: Followed): Promise<string[]> {
  let ahead = 0;
  try {
    for (let move = 0; ; move++) {
      const pending = await listPending(rig);
      if (pending.length === 0) return await checkAllTaken({ rig, record });
      if (move === MOVES)
        return pending.map(
          ({ event_id, attempts }) =>
            `event ${event_id} is not delivered: ${JSON.stringify(attempts.at(-1))}`,
        );
      const next = Math.max(...pending.map(({ next_attempt_at }) => Date.parse(next_attempt_at ?? '') || 0));
      const wanted = Math.ceil((next - Date.now()) / 1_000) + 1;
      if (rig.clock && wanted > ahead && wanted < LONGEST_DRAIN_SECONDS) {
        ahead = wanted;
        rig.clock.move(ahead);
      }
      await delay(MOVED_PAUSE_MS);
    }
  } finally {
    rig.clock?.move(0);
  }
}

async function listPending({ client }: Checked['rig']): Promise<DeliveryListJson['items']> {
  const path = '/api/v1/merchant/deliveries?state=pending&limit=100';
  return need(path, await client.getAsMerchant(path)).items;
}

async function checkAllTaken({ rig, record }: Followed): Promise<string[]> {
  await followFeed({ rig, record });
  return [...record.events.keys()].flatMap((id) =>
    rig.inbox.hasTaken(id) ? [] : [`nothing waits, and event ${id} never came to the receiver`],
  );
}
