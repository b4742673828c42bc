/** What came for payments, summed up from their outputs, and the payments whose money nobody has settled. */

import { type Expression, type SqlBool, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import { isIn } from '../chain/is-in.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { Came } from './leftover-rules.ts';

type Engine = Precious['engine'];

/** What came for a payment, and what of it is deep enough. */
export type CameSums = { there: Came; deep: Came };

/** The condition of the index `payment_unsettled`, word for word; `leftover-rules.ts` has the same rule. */
const isUnsettled = sql<SqlBool>`case when status in ('expired', 'cancelled') and accepted_at is null
      then cast(seen as bigint) + cast(late as bigint)
      else cast(late as bigint)
        + case when cast(seen as bigint) > cast(amount as bigint) then cast(seen as bigint) - cast(amount as bigint) else 0 end
    end <> cast(refunded as bigint) + cast(resolved as bigint)`;

/** A merchant's payments with money that nobody has settled, newest first, below a place. */
export async function listUnsettled(
  query: PaymentQuery,
  merchantId: string,
  below: { atMs: number; id: string } | undefined,
  limit: number,
): Promise<PaymentTable[]> {
  return await unsettledQuery(query, merchantId, below, limit).execute();
}

/** The query of {@link listUnsettled}, so that a test can ask how it is run. */
export function unsettledQuery(
  query: PaymentQuery,
  merchantId: string,
  below: { atMs: number; id: string } | undefined,
  limit: number,
) {
  const all = query
    .selectFrom('payment')
    .selectAll()
    .where(isUnsettled)
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (below === undefined) return all;
  return all.where((row) =>
    row.and([
      row('created_at', '<=', below.atMs),
      row.or([row('created_at', '<', below.atMs), row('id', '<', below.id)]),
    ]),
  );
}

/** A tip, and the confirmations that a coinbase output needs. */
export type SummedAt = { tipHeight: number | undefined; coinbaseMaturity: number };

/**
 * Sums of outputs that are there and count for a payment or are late; deep is what has the payment's confirmations, one at
 * least.
 */
export async function sumCame(
  query: PaymentQuery,
  engine: Engine,
  paymentIds: readonly string[],
  { tipHeight, coinbaseMaturity }: SummedAt,
): Promise<Map<string, CameSums>> {
  const sums = new Map<string, CameSums>(
    paymentIds.map((id) => [id, { there: { counted: 0n, late: 0n }, deep: { counted: 0n, late: 0n } }]),
  );
  if (paymentIds.length === 0) return sums;
  const ids: Expression<SqlBool> = isIn(engine, 'o.payment_id', paymentIds);
  const maturity = sql.lit(coinbaseMaturity);
  const tip = sql.lit(tipHeight ?? -1);
  const { rows } = await sql<{ payment_id: string; late: number; there: string; deep: string }>`
    select o.payment_id, o.late, cast(sum(cast(o.value as bigint)) as text) as there,
      cast(sum(case when o.height is not null and ${tip} - o.height + 1 >=
        case when o.coinbase = 1 and p.confirmations_required < ${maturity} then ${maturity}
          when p.confirmations_required < 1 then 1 else p.confirmations_required end
        then cast(o.value as bigint) else 0 end) as text) as deep
    from payment_output o join payment p on p.id = o.payment_id
    where ${ids} and o.gone = 0 and o.excluded = 0
    group by o.payment_id, o.late`.execute(query);
  for (const { payment_id, late, there, deep } of rows) {
    const name = late === 1 ? 'late' : 'counted';
    const of = sums.get(payment_id)!;
    of.there[name] = BigInt(there);
    of.deep[name] = BigInt(deep);
  }
  return sums;
}
