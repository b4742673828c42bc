/** Webhooks of shops as rows: endpoints with a format, a secret and event types of their own. */

import type { PaymentQuery } from '../payment-context.ts';
import type { WebhookEndpointTable } from '../schema/webhook-tables.ts';

const format = 'btcpay';

/** What a shop sets of a webhook; `events` is a JSON array, or null for all. */
export type ShopWebhookColumns = Pick<WebhookEndpointTable, 'url' | 'events' | 'enabled'>;

/** A merchant's webhooks of shops, oldest first. */
export async function listShopWebhooks(
  query: PaymentQuery,
  merchantId: string,
): Promise<WebhookEndpointTable[]> {
  return await query
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('format', '=', format)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** One of them. */
export async function findShopWebhook(
  query: PaymentQuery,
  merchantId: string,
  id: string,
): Promise<WebhookEndpointTable | undefined> {
  return await query
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('format', '=', format)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The one with this URL. */
export async function findShopWebhookAt(
  query: PaymentQuery,
  merchantId: string,
  url: string,
): Promise<Pick<WebhookEndpointTable, 'id'> | undefined> {
  return await query
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('format', '=', format)
    .where('url', '=', url)
    .executeTakeFirst();
}

/** Stores a new one. */
export async function insertShopWebhook(
  trx: PaymentQuery,
  row: ShopWebhookColumns & Pick<WebhookEndpointTable, 'id' | 'merchant_id' | 'secret' | 'created_at'>,
): Promise<void> {
  await trx
    .insertInto('webhook_endpoint')
    .values({ ...row, format, description: 'BTCPay' })
    .execute();
}

/** Changes one. */
export async function updateShopWebhook(
  trx: PaymentQuery,
  { id, ...columns }: Partial<ShopWebhookColumns> & Pick<WebhookEndpointTable, 'id'> & { secret?: string },
): Promise<void> {
  await trx.updateTable('webhook_endpoint').set(columns).where('id', '=', id).execute();
}

/** Deletes one. @returns whether it was there */
export async function deleteShopWebhook(
  query: PaymentQuery,
  merchantId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom('webhook_endpoint')
    .where('merchant_id', '=', merchantId)
    .where('format', '=', format)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
