/** What of an event is sent where. */

import type { PaymentQuery } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import { laneOf } from './delivery-lanes.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';
import type { NewEvent } from './record-event.ts';

/** A delivery that is not stored yet. */
export type NewDelivery = {
  /** Given where the body names it. */
  id?: string;
  eventId: string;
  merchantId: string;
  /** Null where the event belongs to none. */
  paymentId: string | null;
  url: string;
  /** The endpoint that it is for; null for the receiver that payment or merchant name. */
  webhookId: string | null;
  /** What is sent instead of the event's own body; null: that is. */
  body: string | null;
  /** Whether it is sent after what was stored for its endpoint before, not beside it. */
  isQueued?: boolean;
  nowMs: number;
};

type Told = Pick<NewEvent, 'id' | 'merchantId' | 'paymentId' | 'type' | 'url' | 'writeForShop' | 'nowMs'>;

/**
 * The deliveries of an event: to the receiver that payment or merchant name, and to every endpoint that wants its type; never
 * twice to one URL in the same format.
 *
 * @param endpoints the merchant's enabled ones
 */
export function describeDeliveries(event: Told, endpoints: readonly WebhookEndpoint[]): NewDelivery[] {
  const { id: eventId, merchantId, paymentId, url, nowMs } = event;
  const described: NewDelivery[] = [];
  if (url !== null)
    described.push({ eventId, merchantId, paymentId, url, webhookId: null, body: null, nowMs });
  for (const endpoint of endpoints) {
    if (endpoint.format === 'btcpay') {
      described.push(...describeForShop(event, endpoint));
      continue;
    }
    if (endpoint.url === url || !wants(endpoint, event.type)) continue;
    described.push(describeDelivery(event, endpoint));
  }
  return described;
}

/** The delivery of an event to one endpoint. */
export function describeDelivery(
  { id: eventId, merchantId, paymentId, nowMs }: Told,
  { id: webhookId, url }: WebhookEndpoint,
): NewDelivery {
  return { eventId, merchantId, paymentId, url, webhookId, body: null, nowMs };
}

/** In the words of the shop's plugin: none, one or several, in the order in which they are to arrive. */
function describeForShop(
  { id: eventId, merchantId, paymentId, writeForShop, nowMs }: Told,
  { id: webhookId, url, events }: WebhookEndpoint,
): NewDelivery[] {
  const told = writeForShop?.(webhookId, events) ?? [];
  return told.map(({ id, body }) => ({
    ...{ id, eventId, merchantId, paymentId, url, webhookId, body },
    isQueued: true,
    nowMs,
  }));
}

/**
 * Has each of the deliveries that are sent one after another be due after those before it of the same payment. Counted across
 * payments, the last of many would be due so late that what a later transaction tells of its payment overtakes it.
 */
export function putInTurn(deliveries: readonly NewDelivery[]): NewDelivery[] {
  const lastMs = new Map<string, number>();
  return deliveries.map((delivery) => {
    if (!delivery.isQueued) return delivery;
    const turn = `${delivery.webhookId} ${delivery.paymentId}`;
    const nowMs = Math.max(delivery.nowMs, (lastMs.get(turn) ?? 0) + 1);
    lastMs.set(turn, nowMs);
    return { ...delivery, nowMs };
  });
}

function wants({ events }: WebhookEndpoint, type: string): boolean {
  return events === null || (JSON.parse(events) as string[]).includes(type);
}

/** Rows of one statement: the engines bound its parameters. */
const BITE = 500;

/**
 * Stores deliveries, due at once; for receivers that answered 410 they are disabled from the start.
 *
 * @returns their identifiers, in their order
 */
export async function insertDeliveries(
  trx: PaymentQuery,
  deliveries: readonly NewDelivery[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < deliveries.length; i += BITE) {
    ids.push(...(await insertBite(trx, deliveries.slice(i, i + BITE))));
  }
  return ids;
}

async function insertBite(trx: PaymentQuery, deliveries: readonly NewDelivery[]): Promise<string[]> {
  const gone = await findGone(trx, deliveries);
  const rows = deliveries.map((delivery) => {
    const { id = createId('dlv'), eventId, merchantId, url, webhookId, body, isQueued, nowMs } = delivery;
    const isGone = gone.has(`${merchantId} ${url}`);
    return {
      id,
      event_id: eventId,
      merchant_id: merchantId,
      url,
      lane: laneOf(merchantId, url, isQueued ? webhookId : null),
      state: isGone ? ('disabled' as const) : ('pending' as const),
      attempts: 0,
      attempts_before: 0,
      next_at: nowMs,
      last_status: null,
      last_error: null,
      created_at: nowMs,
      ended_at: isGone ? nowMs : null,
      is_taken: 0,
      webhook_id: webhookId,
      body,
    };
  });
  await trx.insertInto('delivery').values(rows).execute();
  return rows.map(({ id }) => id);
}

/** Merchants and URLs, with a space between, to which nothing is sent any more. */
async function findGone(
  trx: PaymentQuery,
  deliveries: readonly { merchantId: string; url: string }[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('disabled_receiver')
    .select(['merchant_id', 'url'])
    .where('merchant_id', 'in', [...new Set(deliveries.map(({ merchantId }) => merchantId))])
    .where('url', 'in', [...new Set(deliveries.map(({ url }) => url))])
    .execute();
  return new Set(rows.map(({ merchant_id, url }) => `${merchant_id} ${url}`));
}
