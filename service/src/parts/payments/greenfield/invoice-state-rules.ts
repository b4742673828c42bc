/** What BTCPay would call the state of a payment, and what it would tell of a change. */

import type { InvoiceAdditionalStatus, InvoiceEventDetails, InvoiceStatus } from '@coinfront/api/btcpay.ts';
import type { WebhookEventType } from '@coinfront/api/webhooks.ts';
import { dueOf, isClosed } from '../judging/payment-rules.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';

/** What of a payment its state follows from. */
export type StatedPayment = Pick<
  PaymentTable,
  'status' | 'reason' | 'amount' | 'tolerance' | 'seen' | 'late' | 'accepted_at' | 'accepted_amount'
>;

export type InvoiceState = { status: InvoiceStatus; additionalStatus: InvoiceAdditionalStatus };

/**
 * The state of an invoice.
 *
 * @param arrived base units that are there and as deep as the payment asks for, in time or late
 */
export function describeState(payment: StatedPayment, arrived: bigint): InvoiceState {
  const { status, accepted_at } = payment;
  const [amount, seen, late] = [BigInt(payment.amount), BigInt(payment.seen), BigInt(payment.late)];
  const of = (name: InvoiceStatus, additionalStatus: InvoiceAdditionalStatus = 'None'): InvoiceState => ({
    status: name,
    additionalStatus,
  });
  const isMarked = accepted_at !== null;
  switch (status) {
    case 'open':
      return of('New');
    case 'underpaid':
      return of('New', 'PaidPartial');
    case 'detected':
    case 'confirming':
      return of('Processing', seen > amount ? 'PaidOver' : 'None');
    case 'paid':
      return of('Settled', isMarked ? 'Marked' : 'None');
    case 'overpaid':
      return of('Settled', isMarked ? 'Marked' : 'PaidOver');
    case 'reorged':
      // What had paid it is gone, or only its confirmations are.
      return seen >= dueOf(payment) ? of('Processing') : of('Invalid');
    case 'cancelled':
      // Accepted since: the next look at the chain makes of it what it is.
      return isClosed(payment) ? of('Invalid', 'Marked') : of('Processing');
    case 'expired': {
      if (!isClosed(payment)) return of('Processing');
      if (arrived >= dueOf(payment)) return of('Expired', 'PaidLate');
      if (payment.reason === 'unconfirmed' || payment.reason === 'lost') return of('Invalid');
      return of('Expired', seen + late > 0n ? 'PaidPartial' : 'None');
    }
  }
}

/** What marking follows from besides. */
export type MarkedPayment = StatedPayment & Pick<PaymentTable, 'refunded'>;

/** What a merchant can mark an invoice as: what came is enough, or it is closed. */
export function listMarkable(payment: MarkedPayment): ('Settled' | 'Invalid')[] {
  const { status, refunded } = payment;
  const [seen, late] = [BigInt(payment.seen), BigInt(payment.late)];
  const isOver = isClosed(payment);
  const isShort = (status === 'underpaid' || status === 'reorged') && seen > 0n && seen < dueOf(payment);
  const canSettle = refunded === '0' && (isShort || (isOver && seen + late > 0n));
  const canClose = !isOver && status !== 'paid' && status !== 'overpaid';
  return [...(canSettle ? (['Settled'] as const) : []), ...(canClose ? (['Invalid'] as const) : [])];
}

/** A change of a payment: the row before and after it, and what is deep enough of its outputs after it. */
export type ToldChange = { before: StatedPayment; after: StatedPayment; arrived: bigint };

/** An event without what is told of the payment that came. */
export type PlainEvent =
  | { type: 'InvoiceReceivedPayment'; afterExpiration: boolean }
  | { type: 'InvoicePaymentSettled'; afterExpiration: boolean }
  | Exclude<InvoiceEventDetails, { type: 'InvoiceReceivedPayment' | 'InvoicePaymentSettled' }>;

/**
 * What BTCPay would tell of a change that is told here as an event of this type: nothing, one event, or several, in the
 * order in which they are to arrive.
 */
export function translateEvent(type: WebhookEventType, { before, after, arrived }: ToldChange): PlainEvent[] {
  if (type === 'payment.created') return [{ type: 'InvoiceCreated' }];
  if (type === 'payment.late') {
    const received = { type: 'InvoiceReceivedPayment', afterExpiration: true } as const;
    const isSettled = isClosed(after) && arrived >= dueOf(after);
    return isSettled ? [received, { type: 'InvoicePaymentSettled', afterExpiration: true }] : [received];
  }
  if (!type.startsWith('payment.')) return [];

  const events: PlainEvent[] = [];
  if (BigInt(after.seen) > BigInt(before.seen)) {
    events.push({ type: 'InvoiceReceivedPayment', afterExpiration: false });
  }
  const was = describeState(before, 0n);
  const is = describeState(after, arrived);
  const settled: PlainEvent = { type: 'InvoicePaymentSettled', afterExpiration: false };
  if (was.status === 'Settled' && after.status === 'overpaid') events.push(settled);
  if (was.status === is.status && (was.additionalStatus === 'Marked' || is.additionalStatus !== 'Marked')) {
    return events;
  }
  const overPaid = BigInt(after.seen) > BigInt(after.amount);
  switch (is.status) {
    case 'New':
      return events;
    case 'Processing':
      return [...events, { type: 'InvoiceProcessing', overPaid }];
    case 'Settled':
      return [
        ...events,
        settled,
        {
          type: 'InvoiceSettled',
          manuallyMarked: is.additionalStatus === 'Marked',
          overPaid: after.status === 'overpaid',
        },
      ];
    case 'Expired':
      return [...events, { type: 'InvoiceExpired', partiallyPaid: BigInt(after.seen) > 0n }];
    case 'Invalid':
      return [...events, { type: 'InvoiceInvalid', manuallyMarked: is.additionalStatus === 'Marked' }];
  }
}
