/** Payments by the merchant's order. */

import { type SqlBool, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import { AppError } from '../../../errors.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { holdName } from './payment-store.ts';

/** The newest payment that a merchant has for an order. */
export async function findPaymentOfOrder(
  query: PaymentQuery,
  merchantId: string,
  orderId: string,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('payment')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('order_id', '=', orderId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/**
 * Checks that an order has no payment that is under way, paid or accepted, and keeps others who ask the same out until the
 * transaction ends.
 *
 * @throws AppError `order_id_used`
 */
export async function claimOrder(
  trx: PaymentQuery,
  engine: Precious['engine'],
  merchantId: string,
  orderId: string,
): Promise<void> {
  await holdName(trx, engine, `order ${merchantId} ${orderId}`);
  const row = await trx
    .selectFrom('payment')
    .select(['id', 'status', 'accepted_at'])
    .where('merchant_id', '=', merchantId)
    .where('order_id', '=', orderId)
    // The condition of the index, word for word.
    .where(sql<SqlBool>`(status not in ('expired', 'cancelled') or accepted_at is not null)`)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return;
  const { id, status, accepted_at } = row;
  // Its status follows at the next look at the chain.
  const isAccepted = accepted_at !== null && (status === 'expired' || status === 'cancelled');
  const advice = isAccepted ? 'which is accepted' : `which is ${status}. Use it, or cancel it first`;
  throw new AppError(
    'order_id_used',
    `The order has the payment ${id} already, ${advice}; nothing was stored.`,
  );
}
