/** Reads what the page of a payment shows. */

import type { PaymentRouteContext } from '../payment-context.ts';
import { findPayerRefund } from '../refunds/payer-refund.ts';
import { paymentQuery, readPaymentState } from '../requests/payment-store.ts';
import { serialisePayment } from '../requests/serialise-payment.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import { listWebhookSecrets } from '../webhooks/webhook-secret-store.ts';
import type { CheckoutView } from './checkout-view.ts';
import { findShop } from './settings-store.ts';
import { signReturn } from './sign-return.ts';

/** What the page of a payment shows; undefined when there is no such payment. */
export async function findCheckoutView(
  context: PaymentRouteContext,
  paymentId: string,
): Promise<CheckoutView | undefined> {
  const { precious, profile } = context;
  const state = await readPaymentState(precious, paymentId);
  if (state === undefined) return undefined;
  return {
    payment: serialisePayment(state, context),
    shop: await findShop(precious, state.payment.merchant_id, profile.name),
    returnUrl: await findReturnUrl(context, state.payment),
    refund: await findPayerRefund(context, state.payment),
  };
}

/** While nothing has come there is nothing to sign: the address is as the merchant gave it. */
async function findReturnUrl(
  { precious, now }: PaymentRouteContext,
  { id, merchant_id: merchantId, status, return_url: returnUrl }: PaymentTable,
): Promise<string | undefined> {
  if (returnUrl === null) return undefined;
  if (status === 'open') return returnUrl;
  const nowMs = now();
  const secrets = (await listWebhookSecrets(paymentQuery(precious), [merchantId], nowMs)).get(merchantId);
  return secrets && signReturn({ returnUrl, paymentId: id, status, secrets, nowMs });
}
