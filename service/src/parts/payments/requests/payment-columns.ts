/** The columns of the export of payments: what a bookkeeper needs, and nothing that changes with each block. */

import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { PaymentOutputTable, PaymentTable } from '../schema/payment-tables.ts';
import { writeTime } from '../write-time.ts';
import { findTolerated } from './serialise-payment.ts';

/** What a line is made of: a payment, its newest outputs as many as are shown, and how the coin writes amounts. */
export type PaymentLine = {
  payment: PaymentTable;
  outputs: readonly PaymentOutputTable[];
  coin: Pick<CoinProfile, 'decimals' | 'ticker'>;
};

/** A column: its name, and its cell of a line. What is null is an empty cell. */
type Column = readonly [name: string, write: (line: PaymentLine) => string | null];

/** In their order in the file. New ones come last: who reads by position goes on. */
export const paymentColumns: readonly Column[] = [
  ['id', ({ payment }) => payment.id],
  ['order_id', ({ payment }) => payment.order_id],
  ['status', ({ payment }) => payment.status],
  ['reason', ({ payment }) => payment.reason],
  ['created_at', timeOf('created_at')],
  ['expires_at', timeOf('expires_at')],
  ['updated_at', timeOf('updated_at')],
  ['paid_at', timeOf('paid_at')],
  ['settled_at', timeOf('settled_at')],
  ['accepted_at', timeOf('accepted_at')],
  ['cancelled_at', timeOf('cancelled_at')],
  ['coin', ({ coin }) => coin.ticker],
  ['amount', amountOf('amount')],
  ['price_currency', ({ payment }) => payment.price_currency],
  ['price_amount', ({ payment }) => payment.price_amount],
  ['price_rate', ({ payment }) => payment.price_rate],
  ['accepted_amount', amountOf('accepted_amount')],
  ['received_seen', amountOf('seen')],
  ['received_confirmed', amountOf('mined')],
  ['received_settled', amountOf('deep')],
  ['received_late', amountOf('late')],
  ['tolerated', ({ payment, coin }) => formatAmount(findTolerated(payment), coin.decimals)],
  ['refunded', amountOf('refunded')],
  ['address', ({ payment }) => payment.address],
  ['recipient', ({ payment }) => payment.recipient],
  ['txids', ({ outputs }) => listTxids(outputs)],
  ['description', ({ payment }) => payment.description],
];

function timeOf(
  name:
    | 'created_at'
    | 'expires_at'
    | 'updated_at'
    | 'paid_at'
    | 'settled_at'
    | 'accepted_at'
    | 'cancelled_at',
): Column[1] {
  return ({ payment: { [name]: ms } }) => (ms === null ? null : writeTime(ms));
}

function amountOf(
  name: 'amount' | 'accepted_amount' | 'seen' | 'mined' | 'deep' | 'late' | 'refunded',
): Column[1] {
  return ({ payment: { [name]: units }, coin }) =>
    units === null ? null : formatAmount(BigInt(units), coin.decimals);
}

/** Transactions that chain or mempool have, newest first, with spaces between. */
function listTxids(outputs: readonly PaymentOutputTable[]): string {
  const present = outputs
    .filter(({ gone }) => gone === 0)
    .toSorted((a, b) => b.first_seen_at - a.first_seen_at || (a.txid < b.txid ? -1 : 1));
  return [...new Set(present.map(({ txid }) => txid))].join(' ');
}
