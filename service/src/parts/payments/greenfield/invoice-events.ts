/** Events of payments as BTCPay tells them: what webhooks of shops are sent. */

import {
  type InvoiceEventDetails,
  type InvoiceEventJson,
  type InvoiceEventType,
  invoiceEventTypes,
} from '@coinfront/api/btcpay.ts';
import type { WebhookEventType } from '@coinfront/api/webhooks.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { createId } from '../payment-ids.ts';
import type { PaymentState } from '../requests/serialise-payment.ts';
import { type PlainEvent, type StatedPayment, translateEvent } from './invoice-state-rules.ts';
import { paymentMethodOf, serialiseNewest, sumArrived, toSeconds } from './serialise-invoice.ts';

/** What is stored of a body, with the identifier of the delivery that it names; see {@link addMetadata}. */
export type ShopDelivery = { id: string; body: string };

/** What of an event is sent to a webhook that wants these types; null means all. In the order in which it is to arrive. */
export type WriteForShop = (webhookId: string, wanted: string | null) => ShopDelivery[];

/**
 * Makes what writes an event for shops.
 *
 * @param before the payment before the change that is told; what it is now where it was made by it
 */
export function writeInvoiceEvents(
  type: WebhookEventType,
  state: PaymentState,
  before: StatedPayment,
  profile: CoinProfile,
  nowMs: number,
): WriteForShop {
  return (webhookId, wanted) => {
    const { payment } = state;
    const types = wanted === null ? invoiceEventTypes : (JSON.parse(wanted) as InvoiceEventType[]);
    const told = translateEvent(type, { before, after: payment, arrived: sumArrived(state, profile) });
    return told
      .filter((event) => types.includes(event.type))
      .map((event) => {
        const id = createId('dlv');
        const body: Omit<InvoiceEventJson, 'metadata'> = {
          deliveryId: id,
          webhookId,
          originalDeliveryId: id,
          isRedelivery: false,
          timestamp: toSeconds(nowMs),
          storeId: payment.merchant_id,
          invoiceId: payment.id,
          ...addPayment(event, state, profile),
        };
        return { id, body: JSON.stringify(body) };
      });
  };
}

/**
 * The body that is sent, the same each time: with the metadata, which the payment has and never change, and which would otherwise be
 * stored again for each webhook.
 *
 * @param stored what {@link writeInvoiceEvents} wrote
 * @param metadata as the payment has them
 */
export function addMetadata(stored: string, metadata: string | null): string {
  return `${stored.slice(0, -1)},"metadata":${metadata ?? '{}'}}`;
}

function addPayment(event: PlainEvent, state: PaymentState, profile: CoinProfile): InvoiceEventDetails {
  if (event.type !== 'InvoiceReceivedPayment' && event.type !== 'InvoicePaymentSettled') return event;
  const method = paymentMethodOf(profile);
  const onlySettled = event.type === 'InvoicePaymentSettled';
  return {
    ...event,
    paymentMethodId: method,
    paymentMethod: method,
    payment: serialiseNewest(state, profile, { onlySettled }),
  };
}
