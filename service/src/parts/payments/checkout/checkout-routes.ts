import {
  CheckoutSettingsBody,
  type CheckoutSettingsJson,
  CheckoutSettingsView,
} from '@coinfront/api/checkout.ts';
import type { FastifyInstance } from 'fastify';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import { checkoutExamples } from './checkout-examples.ts';
import { type CheckoutSettings, checkSettings } from './settings-rules.ts';
import { findSettings, putSettings } from './settings-store.ts';

const tag = 'Merchant';
/** Base64 of the largest mark, the longest origins, and what JSON puts around. */
const BODY_LIMIT = 32_768;

/** `GET` and `PUT /merchant/checkout`. */
export function registerCheckoutRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  const { precious, isOpenedHost, now } = context;
  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant/checkout',
    response: CheckoutSettingsView,
    cost: 2,
    operation: {
      id: 'getCheckoutSettings',
      tag,
      summary: 'How the checkout page is set up',
      description: 'The name and the mark that payers see, and who may have the page in a frame.',
      errors: ['index_unavailable'],
      example: checkoutExamples.settings,
    },
    call: async ({ merchant }) => serialiseSettings(await findSettings(precious, merchant.id)),
  });

  registerMerchantCall(app, context, {
    method: 'PUT',
    path: '/merchant/checkout',
    body: CheckoutSettingsBody,
    bodyLimit: BODY_LIMIT,
    response: CheckoutSettingsView,
    cost: 5,
    operation: {
      id: 'putCheckoutSettings',
      tag,
      summary: 'Set up the checkout page',
      description:
        'Takes the place of all that was set up before, from the next time that a page is loaded: what is left out is as ' +
        'at the beginning. Read the settings, change them, and send them back.',
      errors: ['mark_invalid', 'embed_origin_refused', 'index_unavailable'],
      bodyExample: checkoutExamples.settings,
      example: checkoutExamples.settings,
    },
    async call({ merchant, body }) {
      const settings = checkSettings(body, isOpenedHost);
      await putSettings(paymentQuery(precious), merchant.id, settings, now());
      return serialiseSettings(settings);
    },
  });
}

function serialiseSettings({ name, mark, embedOrigins }: CheckoutSettings): CheckoutSettingsJson {
  return { name, mark: mark?.base64 ?? null, embed_origins: [...embedOrigins] };
}
