/** Making, changing and deleting webhook endpoints. */

import {
  type WebhookEndpointChangeJson,
  type WebhookEndpointRequestJson,
  webhookEndpointLimits,
} from '@coinfront/api/webhook-endpoints.ts';
import { AppError } from '../../../errors.ts';
import { checkText } from '../check-text.ts';
import { holdMerchant } from '../merchants/merchant-store.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { checkReceiver } from './check-receiver.ts';
import { disablePendingOf } from './end-deliveries.ts';
import { findEndpoint, type ListedEndpoint } from './endpoint-store.ts';
import { forgetGone } from './redeliver.ts';
import { webhookNotFound } from './webhook-refusals.ts';

type Context = Pick<PaymentRouteContext, 'precious' | 'now' | 'checkWebhookUrl'>;

/**
 * Makes an endpoint. Its receiver is taken to be there, whatever was answered at its URL before.
 *
 * @throws AppError `webhook_url_refused`, `webhook_exists`, `webhooks_exhausted`, `invalid_body`
 */
export async function createEndpoint(
  { precious, now, checkWebhookUrl }: Context,
  merchantId: string,
  { url: given, events = null, enabled = true, description = '' }: WebhookEndpointRequestJson,
): Promise<ListedEndpoint> {
  const url = checkReceiver('url', given, checkWebhookUrl);
  checkText('description', description);
  return await precious.transaction<PaymentTables, ListedEndpoint>(async (trx) => {
    await holdMerchant(trx, merchantId);
    await checkRoom(trx, merchantId);
    await checkFree(trx, merchantId, url);
    const id = createId('whk');
    await trx
      .insertInto('webhook_endpoint')
      .values({
        id,
        merchant_id: merchantId,
        url,
        format: 'coinfront',
        secret: null,
        events: writeEvents(events),
        enabled: enabled ? 1 : 0,
        description,
        created_at: now(),
      })
      .execute();
    await forgetGone(trx, merchantId, url);
    return (await findEndpoint(trx, merchantId, id))!;
  });
}

/**
 * Changes what is given of an endpoint. What waits to be sent to one that is disabled now is ended; one that is enabled, or
 * gets another URL, is taken to be there, whatever was answered before. What was under way to another URL goes there still.
 *
 * @throws AppError `webhook_not_found`, `webhook_url_refused`, `webhook_exists`, `invalid_body`
 */
export async function changeEndpoint(
  { precious, now, checkWebhookUrl }: Context,
  merchantId: string,
  id: string,
  { url: given, events, enabled, description }: WebhookEndpointChangeJson,
): Promise<ListedEndpoint> {
  const url = given === undefined ? undefined : checkReceiver('url', given, checkWebhookUrl);
  if (description !== undefined) checkText('description', description);
  const changed = await precious.transaction<PaymentTables, ListedEndpoint>(async (trx) => {
    await holdMerchant(trx, merchantId);
    const before = await findEndpoint(trx, merchantId, id);
    if (before === undefined) throw webhookNotFound(id);
    if (url !== undefined && url !== before.url) await checkFree(trx, merchantId, url);
    await trx
      .updateTable('webhook_endpoint')
      .set({
        url: url ?? before.url,
        events: events === undefined ? before.events : writeEvents(events),
        enabled: enabled === undefined ? before.enabled : enabled ? 1 : 0,
        description: description ?? before.description,
      })
      .where('id', '=', id)
      .execute();
    const isMoved = url !== undefined && url !== before.url;
    if (enabled === true || isMoved) await forgetGone(trx, merchantId, url ?? before.url);
    return (await findEndpoint(trx, merchantId, id))!;
  });
  if (changed.enabled === 0) await disablePendingOf(precious, id, now());
  return changed;
}

/**
 * Deletes an endpoint, and ends what waits to be sent to it.
 *
 * @returns as it was
 * @throws AppError `webhook_not_found`
 */
export async function deleteEndpoint(
  { precious, now }: Context,
  merchantId: string,
  id: string,
): Promise<ListedEndpoint> {
  const deleted = await precious.transaction<PaymentTables, ListedEndpoint>(async (trx) => {
    await holdMerchant(trx, merchantId);
    const before = await findEndpoint(trx, merchantId, id);
    if (before === undefined) throw webhookNotFound(id);
    await trx.deleteFrom('webhook_endpoint').where('id', '=', id).execute();
    return before;
  });
  await disablePendingOf(precious, id, now());
  return deleted;
}

/** @throws AppError `webhooks_exhausted` when a merchant may have no further endpoint, of any format */
export async function checkRoom(trx: PaymentQuery, merchantId: string): Promise<void> {
  const { count } = await trx
    .selectFrom('webhook_endpoint')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  if (Number(count) < webhookEndpointLimits.count) return;
  const detail = `A merchant has at most ${webhookEndpointLimits.count} webhook endpoints; delete one, or change it.`;
  throw new AppError('webhooks_exhausted', detail);
}

async function checkFree(trx: PaymentQuery, merchantId: string, url: string): Promise<void> {
  const other = await trx
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('url', '=', url)
    .where('format', '=', 'coinfront')
    .executeTakeFirst();
  if (other === undefined) return;
  throw new AppError('webhook_exists', `The webhook endpoint ${other.id} has this URL; change that one.`);
}

function writeEvents(events: readonly string[] | null): string | null {
  return events === null ? null : JSON.stringify(events);
}
