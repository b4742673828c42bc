/** What a payer is told of money that is left over of a payment, and of money that goes back. */

import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { PayerRefund } from '../checkout/checkout-view.ts';
import type { PaymentContext } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import { balance } from './leftover-rules.ts';
import { listRefunds } from './refund-store.ts';

/** Ends of an address by which its owner knows it. */
const SHOWN_FIRST = 10;
const SHOWN_LAST = 6;

/** Undefined where there is nothing to say: so it is with nearly all payments, and it costs no query then. */
export async function findPayerRefund(
  { precious, profile }: Pick<PaymentContext, 'precious' | 'profile'>,
  payment: PaymentTable,
): Promise<PayerRefund | undefined> {
  const came = { counted: BigInt(payment.seen), late: BigInt(payment.late) };
  const { open } = balance(payment, came, came);
  if (open === 0n && payment.refunded === '0') return undefined;
  const refunds =
    payment.refunded === '0' ? [] : await listRefunds(paymentQuery(precious), precious.engine, [payment.id]);
  const coins = (units: bigint): string => formatAmount(units, profile.decimals);
  const { refund_address: address } = payment;
  return {
    open: open > 0n ? coins(open) : undefined,
    // Whoever has the link sees this page: enough to know an address by, not enough to use it.
    address: address === null ? undefined : shorten(address),
    refunds: refunds
      .filter(({ state }) => state !== 'cancelled')
      .map(({ amount, address: target, state, seen, txid }) => ({
        amount: coins(BigInt(amount)),
        address: shorten(target),
        step: state === 'confirmed' ? 'done' : state === 'sent' && seen === 1 ? 'moving' : 'planned',
        txid: state === 'gone' || seen === 0 ? undefined : (txid ?? undefined),
      })),
  };
}

function shorten(address: string): string {
  return `${address.slice(0, SHOWN_FIRST)}…${address.slice(-SHOWN_LAST)}`;
}
