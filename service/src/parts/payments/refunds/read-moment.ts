import { getValue } from '@coinfront/protocol/result.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { parsePayableAddress } from '../pool/parse-recipient.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';
import { confirmationsOf, type RefundMoment } from './refund-rules.ts';
import { listTaken } from './refund-store.ts';

type Rules = Pick<PaymentContext, 'precious' | 'profile'>;
type Terms = Pick<PaymentTable, 'confirmations_required' | 'created_height'>;

/** What a refund is judged at, as far as no other row of the database matters. */
export function describeMoment(
  { profile }: Pick<Rules, 'profile'>,
  { address }: Pick<RefundTable, 'address'>,
  payment: Terms,
  at: Pick<RefundMoment, 'tipHeight' | 'nowMs'>,
): RefundMoment {
  return {
    ...at,
    required: confirmationsOf(payment),
    createdHeight: payment.created_height,
    isPayment: false,
    taken: new Set(),
    readScript: () => getValue(parsePayableAddress(address, profile)).script,
  };
}

/** The same with all that matters of a transaction of which nothing is known yet. Who asks holds the payment's row. */
export async function readMoment(
  trx: PaymentQuery,
  { precious, profile }: Rules,
  refund: RefundTable,
  payment: Terms,
  at: Pick<RefundMoment, 'tipHeight' | 'nowMs'>,
): Promise<RefundMoment> {
  const moment = describeMoment({ profile }, refund, payment, at);
  const { txid } = refund;
  if (txid === null || refund.vout !== null) return moment;
  const paying = await trx
    .selectFrom('payment_output')
    .select('vout')
    .where('payment_id', '=', refund.payment_id)
    .where('txid', '=', txid)
    .limit(1)
    .executeTakeFirst();
  return {
    ...moment,
    isPayment: paying !== undefined,
    taken: await listTaken(trx, precious.engine, refund, txid),
  };
}
