/** What of payments is left over, read whole. */

import { sumOf } from '../judging/payment-sums.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { findJudgedTip } from '../requests/payment-store.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';
import { balance } from './leftover-rules.ts';
import { sumCame } from './leftover-store.ts';
import { listRefunds, listResolutions } from './refund-store.ts';
import type { Leftover } from './serialise-leftover.ts';

type Rules = Pick<PaymentContext, 'precious' | 'profile'>;

/**
 * What is left over of payments, in their order. Their rows are held, or read in the same transaction, where one may hang on the
 * other.
 */
export async function readLeftovers(
  query: PaymentQuery,
  { precious: { engine }, profile }: Rules,
  payments: readonly PaymentTable[],
): Promise<Leftover[]> {
  const ids = payments.map(({ id }) => id);
  const tip = await findJudgedTip(query);
  const at = { tipHeight: tip?.height, coinbaseMaturity: profile.coinbaseMaturity };
  const sums = await sumCame(query, engine, ids, at);
  const refunds = Map.groupBy(await listRefunds(query, engine, ids), (row) => row.payment_id);
  const resolutions = Map.groupBy(await listResolutions(query, engine, ids), (row) => row.payment_id);
  return payments.map((payment) => {
    const { there, deep } = sums.get(payment.id)!;
    const own = refunds.get(payment.id) ?? [];
    return {
      payment,
      // By the refunds that are shown: outside of a transaction the row may be a moment older.
      balance: balance({ ...payment, refunded: String(sumStanding(own)) }, there, deep),
      refunds: own,
      resolutions: resolutions.get(payment.id) ?? [],
      tip,
    };
  });
}

/** What is left over of one payment. */
export async function readLeftover(
  query: PaymentQuery,
  rules: Rules,
  payment: PaymentTable,
): Promise<Leftover> {
  return (await readLeftovers(query, rules, [payment]))[0]!;
}

/** Base units of refunds that are not cancelled. */
function sumStanding(refunds: readonly RefundTable[]): bigint {
  return sumOf(refunds.filter(({ state }) => state !== 'cancelled').map(({ amount }) => ({ value: amount })));
}
