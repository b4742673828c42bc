/** What goes over the wire: the bytes of a delivery, and who signs them. */

import type { Precious } from '../../../db/precious.ts';
import { signWebhook } from '../../../webhooks/sign-webhook.ts';
import { addMetadata } from '../greenfield/invoice-events.ts';
import { signForShop } from '../greenfield/sign-for-shop.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import type { ClaimedDelivery } from './delivery-store.ts';
import { findEnabledByIds } from './endpoint-store.ts';
import { listWebhookSecrets } from './webhook-secret-store.ts';

/** A delivery as it is sent. */
export type PreparedDelivery = {
  body: Uint8Array;
  /** The headers that prove where it comes from, for a try at this time. */
  sign(nowMs: number): Record<string, string>;
};

/** What to send for each delivery, by its identifier; none where its endpoint was deleted or is disabled. */
export async function prepareDeliveries(
  precious: Precious,
  claims: readonly ClaimedDelivery[],
  nowMs: number,
): Promise<Map<string, PreparedDelivery>> {
  const plain = claims.filter(({ body }) => body === null).map(({ event_id }) => event_id);
  const bodies = await readEventBodies(precious, [...new Set(plain)]);
  const shopEvents = claims.filter(({ body }) => body !== null).map(({ event_id }) => event_id);
  const metadata = await readMetadataOfEvents(precious, [...new Set(shopEvents)]);
  const webhookIds = claims.flatMap(({ webhook_id: id }) => (id === null ? [] : [id]));
  const endpoints = await findEnabledByIds(precious.query(), [...new Set(webhookIds)]);
  const merchantIds = claims.map(({ merchant_id }) => merchant_id);
  const secretsOf = await listWebhookSecrets(precious.query(), [...new Set(merchantIds)], nowMs);
  const prepared = new Map<string, PreparedDelivery>();
  for (const { id, event_id: eventId, merchant_id: merchantId, webhook_id: webhookId, body: own } of claims) {
    const endpoint = webhookId === null ? undefined : endpoints.get(webhookId);
    if (webhookId !== null && endpoint === undefined) continue;
    const secret = endpoint?.secret ?? null;
    if (endpoint?.format === 'btcpay' && own !== null) {
      const body = Buffer.from(addMetadata(own, metadata.get(eventId) ?? null));
      const headers = signForShop(body, secret ?? '');
      prepared.set(id, { body, sign: () => headers });
      continue;
    }
    const body = Buffer.from(own ?? bodies.get(eventId) ?? '');
    const secrets = secret === null ? (secretsOf.get(merchantId) ?? []) : [secret];
    prepared.set(id, { body, sign: (atMs) => signWebhook({ eventId, body, secrets, nowMs: atMs }) });
  }
  return prepared;
}

/** The exact bodies of events, by event. */
async function readEventBodies(precious: Precious, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await precious
    .query<PaymentTables>()
    .selectFrom('event')
    .select(['id', 'body'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** The metadata of the payments that events are about, by event. */
async function readMetadataOfEvents(
  precious: Precious,
  eventIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (eventIds.length === 0) return new Map();
  const rows = await precious
    .query<PaymentTables>()
    .selectFrom('event')
    .innerJoin('payment', 'payment.id', 'event.payment_id')
    .select(['event.id', 'payment.metadata'])
    .where('event.id', 'in', eventIds)
    .execute();
  return new Map(rows.map(({ id, metadata }) => [id, metadata]));
}
