/** Webhooks that plugins set up: where events of invoices are sent, signed with a secret of the webhook's own. */

import { randomBytes } from 'node:crypto';
import {
  invoiceEventTypes,
  ShopWebhookBody,
  type ShopWebhookJson,
  type ShopWebhookRequestJson,
} from '@coinfront/api/btcpay.ts';
import type { FastifyInstance } from 'fastify';
import { isPlainText } from '../check-text.ts';
import { holdMerchant } from '../merchants/merchant-store.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import type { WebhookEndpointTable } from '../schema/webhook-tables.ts';
import { checkRoom } from '../webhooks/change-endpoints.ts';
import { disablePendingOf } from '../webhooks/end-deliveries.ts';
import { forgetGone } from '../webhooks/redeliver.ts';
import { webhookNotFound } from '../webhooks/webhook-refusals.ts';
import { registerGreenfield } from './greenfield-call.ts';
import type { GreenfieldContext } from './greenfield-context.ts';
import { FieldFaults } from './greenfield-errors.ts';
import {
  deleteShopWebhook,
  findShopWebhook,
  findShopWebhookAt,
  insertShopWebhook,
  listShopWebhooks,
  type ShopWebhookColumns,
  updateShopWebhook,
} from './shop-webhook-store.ts';

const permission = 'btcpay.store.webhooks.canmodifywebhooks';
const ofStore = '/api/v1/stores/:storeId/webhooks';
const ofWebhook = `${ofStore}/:webhookId`;

/** `…/webhooks`. */
export function registerShopWebhookRoutes(app: FastifyInstance, context: GreenfieldContext): void {
  const { precious, now } = context;

  registerGreenfield(app, context, {
    method: 'GET',
    path: ofStore,
    permission,
    call: async ({ caller: { merchant } }) =>
      (await listShopWebhooks(paymentQuery(precious), merchant.id)).map(serialiseWebhook),
  });

  registerGreenfield(app, context, {
    method: 'GET',
    path: ofWebhook,
    permission,
    call: async ({ caller: { merchant }, params }) =>
      serialiseWebhook(await findOne(context, merchant.id, params.webhookId!)),
  });

  registerGreenfield(app, context, {
    method: 'POST',
    path: ofStore,
    permission,
    body: ShopWebhookBody,
    cost: 5,
    async call({ caller: { merchant }, body }): Promise<ShopWebhookJson> {
      const secret = body.secret || randomBytes(24).toString('hex');
      const columns = { ...readColumns(body, context), secret };
      const id = await precious.transaction<PaymentTables, string>(async (trx) => {
        await holdMerchant(trx, merchant.id);
        await forgetGone(trx, merchant.id, columns.url);
        const before = await findShopWebhookAt(trx, merchant.id, columns.url);
        if (before !== undefined) {
          // Behind one URL is one shop, which asks anew when it has lost the secret.
          await updateShopWebhook(trx, { id: before.id, ...columns });
          return before.id;
        }
        await checkRoom(trx, merchant.id);
        const newId = createId('whk');
        await insertShopWebhook(trx, { id: newId, merchant_id: merchant.id, created_at: now(), ...columns });
        return newId;
      });
      if (columns.enabled === 0) await disablePendingOf(precious, id, now());
      return { ...serialiseWebhook({ id, ...columns }), secret };
    },
  });

  registerGreenfield(app, context, {
    method: 'PUT',
    path: ofWebhook,
    permission,
    body: ShopWebhookBody,
    cost: 5,
    async call({ caller: { merchant }, params, body }) {
      const id = params.webhookId!;
      await findOne(context, merchant.id, id);
      const columns = readColumns(body, context);
      await precious.transaction<PaymentTables, void>(async (trx) => {
        await holdMerchant(trx, merchant.id);
        const there = await findShopWebhookAt(trx, merchant.id, columns.url);
        if (there !== undefined && there.id !== id) {
          throw new FieldFaults({ path: 'url', message: `The webhook ${there.id} has this URL.` });
        }
        await updateShopWebhook(trx, { id, ...columns, ...(body.secret ? { secret: body.secret } : {}) });
        await forgetGone(trx, merchant.id, columns.url);
      });
      if (columns.enabled === 0) await disablePendingOf(precious, id, now());
      return serialiseWebhook(await findOne(context, merchant.id, id));
    },
  });

  registerGreenfield(app, context, {
    method: 'DELETE',
    path: ofWebhook,
    permission,
    cost: 5,
    async call({ caller: { merchant }, params }) {
      const id = params.webhookId!;
      if (!(await deleteShopWebhook(paymentQuery(precious), merchant.id, id))) throw webhookNotFound(id);
      await disablePendingOf(precious, id, now());
    },
  });
}

/** @throws AppError `webhook_not_found` */
async function findOne({ precious }: GreenfieldContext, merchantId: string, id: string) {
  const found = await findShopWebhook(paymentQuery(precious), merchantId, id);
  if (found === undefined) throw webhookNotFound(id);
  return found;
}

/** @throws FieldFaults */
function readColumns(
  { url, enabled, automaticRedelivery, secret, authorizedEvents }: ShopWebhookRequestJson,
  { checkWebhookUrl }: Pick<PaymentRouteContext, 'checkWebhookUrl'>,
): ShopWebhookColumns {
  const checked = checkWebhookUrl(url);
  if (!checked.ok) throw new FieldFaults({ path: 'url', message: `The URL ${checked.reason}.` });
  if (automaticRedelivery === false) {
    const message = 'Events are always sent again until they have arrived; leave it out, or set it to true.';
    throw new FieldFaults({ path: 'automaticRedelivery', message });
  }
  if (secret && !isPlainText(secret)) {
    throw new FieldFaults({ path: 'secret', message: 'Must be valid Unicode without control characters.' });
  }
  const { everything, specificEvents } = authorizedEvents ?? {};
  const wantsAll = everything ?? !specificEvents;
  return {
    url: checked.value,
    enabled: enabled === false ? 0 : 1,
    // A plugin may name events that are never told here, such as those of payouts.
    events: wantsAll ? null : JSON.stringify([...new Set(specificEvents ?? [])].filter(isKnown)),
  };
}

function isKnown(name: string): boolean {
  return (invoiceEventTypes as readonly string[]).includes(name);
}

function serialiseWebhook({
  id,
  url,
  enabled,
  events,
}: Pick<WebhookEndpointTable, 'id' | 'url' | 'enabled' | 'events'>): ShopWebhookJson {
  return {
    id,
    url,
    enabled: enabled === 1,
    automaticRedelivery: true,
    authorizedEvents: {
      everything: events === null,
      specificEvents: events === null ? [] : (JSON.parse(events) as string[]),
    },
  };
}
