/** Webhook endpoints as rows: receivers that a merchant adds to the one that its payments name. */

import { sql } from 'kysely';
import type { PaymentQuery } from '../payment-context.ts';
import type { WebhookEndpointTable } from '../schema/webhook-tables.ts';

export type WebhookEndpoint = WebhookEndpointTable;

/** A merchant's endpoints above a place, oldest first, with when their receivers answered 410. */
export async function listEndpoints(
  query: PaymentQuery,
  merchantId: string,
  above: { atMs: number; id: string } | undefined,
  limit: number,
): Promise<ListedEndpoint[]> {
  let found = selectListed(query)
    .where('webhook_endpoint.merchant_id', '=', merchantId)
    .orderBy('webhook_endpoint.created_at')
    .orderBy('webhook_endpoint.id')
    .limit(limit);
  if (above !== undefined) {
    const { atMs, id } = above;
    found = found.where((row) =>
      row.or([
        row('webhook_endpoint.created_at', '>', atMs),
        row.and([row('webhook_endpoint.created_at', '=', atMs), row('webhook_endpoint.id', '>', id)]),
      ]),
    );
  }
  return await found.execute();
}

/** An endpoint, and when its receiver answered 410. */
export type ListedEndpoint = WebhookEndpoint & { gone_at: number | null };

/** One of a merchant's endpoints. */
export async function findEndpoint(
  query: PaymentQuery,
  merchantId: string,
  id: string,
): Promise<ListedEndpoint | undefined> {
  return await selectListed(query)
    .where('webhook_endpoint.merchant_id', '=', merchantId)
    .where('webhook_endpoint.id', '=', id)
    .executeTakeFirst();
}

function selectListed(query: PaymentQuery) {
  return query
    .selectFrom('webhook_endpoint')
    .leftJoin('disabled_receiver', (join) =>
      join
        .onRef('disabled_receiver.merchant_id', '=', 'webhook_endpoint.merchant_id')
        .onRef('disabled_receiver.url', '=', 'webhook_endpoint.url'),
    )
    .selectAll('webhook_endpoint')
    .select('disabled_receiver.disabled_at as gone_at')
    .where('webhook_endpoint.format', '=', 'coinfront');
}

/** The endpoints of merchants that get events now, the oldest first, by merchant. */
export async function findEnabledEndpoints(
  trx: PaymentQuery,
  merchantIds: readonly string[],
): Promise<Map<string, WebhookEndpoint[]>> {
  const { rows } = await sql<WebhookEndpoint>`select * from webhook_endpoint
    where merchant_id in (${sql.join([...new Set(merchantIds)])}) and enabled = 1
    order by created_at, id`.execute(trx);
  return Map.groupBy(rows, ({ merchant_id }) => merchant_id);
}

/** The endpoints of these identifiers that are there and enabled. */
export async function findEnabledByIds(
  query: PaymentQuery,
  ids: readonly string[],
): Promise<Map<string, WebhookEndpoint>> {
  if (ids.length === 0) return new Map();
  const rows = await query
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('id', 'in', ids)
    .where('enabled', '=', 1)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
