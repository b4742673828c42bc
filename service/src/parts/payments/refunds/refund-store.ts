/** Rows of refunds, and of words that settle what is left over. */

import { shownResolutions } from '@coinfront/api/refunds.ts';
import { type SqlBool, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import { isIn } from '../chain/is-in.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { holdName } from '../requests/payment-store.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { RefundTable, ResolutionTable } from '../schema/refund-tables.ts';
import { unseenWatchMs } from './refund-rules.ts';

type Engine = Precious['engine'];

/** Refunds of payments, oldest first. */
export async function listRefunds(
  query: PaymentQuery,
  engine: Engine,
  paymentIds: readonly string[],
): Promise<RefundTable[]> {
  if (paymentIds.length === 0) return [];
  return await query
    .selectFrom('refund')
    .selectAll()
    .where(isIn(engine, 'payment_id', paymentIds))
    .orderBy('payment_id')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Words of payments, newest first, as many of each as are shown. */
export async function listResolutions(
  query: PaymentQuery,
  engine: Engine,
  paymentIds: readonly string[],
): Promise<ResolutionTable[]> {
  if (paymentIds.length === 0) return [];
  const ranked = query
    .selectFrom('resolution')
    .selectAll()
    .select(
      sql<number>`row_number() over (partition by payment_id order by created_at desc, id desc)`.as('rank'),
    )
    .where(isIn(engine, 'payment_id', paymentIds));
  const rows = await query
    .selectFrom(ranked.as('ranked'))
    .select(['id', 'payment_id', 'amount', 'uncovered', 'note', 'created_at'])
    .where('rank', '<=', shownResolutions)
    .orderBy('rank')
    .execute();
  return rows;
}

/** A refund of a payment. Who is to change it holds the payment's row. */
export async function findRefund(
  query: PaymentQuery,
  paymentId: string,
  id: string,
): Promise<RefundTable | undefined> {
  return await query
    .selectFrom('refund')
    .selectAll()
    .where('id', '=', id)
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
}

/** Writes a refund that was changed. */
export async function writeRefund(trx: PaymentQuery, { id, ...columns }: RefundTable): Promise<void> {
  await trx.updateTable('refund').set(columns).where('id', '=', id).execute();
}

/**
 * Outputs of a transaction that serve other refunds of a merchant than this one; whoever asks the same waits until the
 * transaction of the database ends.
 */
export async function listTaken(
  trx: PaymentQuery,
  engine: Engine,
  { id, merchant_id }: Pick<RefundTable, 'id' | 'merchant_id'>,
  txid: string,
): Promise<Set<number>> {
  await holdName(trx, engine, `${merchant_id} ${txid}`);
  const rows = await trx
    .selectFrom('refund')
    .select('vout')
    .where('merchant_id', '=', merchant_id)
    .where('txid', '=', txid)
    .where(sql<SqlBool>`vout is not null and state <> 'cancelled'`)
    .where('id', '<>', id)
    .execute();
  return new Set(rows.map(({ vout }) => vout!));
}

/** A refund whose transaction is watched, and the terms of its payment by which it is judged. */
export type WatchedRefund = {
  refund: RefundTable;
  terms: Pick<PaymentTable, 'confirmations_required' | 'created_height'>;
};

/** Which of the watched refunds are looked at: all, or only those that change without a new block. */
export type WatchScope = {
  nowMs: number;
  /** Only those in no block that were named after this time; undefined for all. */
  namedAfterMs: number | undefined;
};

/** Refunds whose transactions are watched, by transaction: those of one follow each other. */
export async function listWatched(
  query: PaymentQuery,
  { nowMs, namedAfterMs }: WatchScope,
  after: { txid: string; id: string },
  limit: number,
): Promise<WatchedRefund[]> {
  let watched = query
    .selectFrom('refund')
    .selectAll()
    .where(sql<SqlBool>`txid is not null and problem is null and final = 0 and state <> 'cancelled'`)
    .where((row) => row.or([row('seen', '=', 1), row('sent_at', '>', nowMs - unseenWatchMs)]))
    .where((row) =>
      row.or([
        row('txid', '>', after.txid),
        row.and([row('txid', '=', after.txid), row('id', '>', after.id)]),
      ]),
    )
    .orderBy('txid')
    .orderBy('id')
    .limit(limit);
  if (namedAfterMs !== undefined) {
    watched = watched.where('height', 'is', null).where('sent_at', '>', namedAfterMs);
  }
  const rows = await query
    .selectFrom(watched.as('watched'))
    .innerJoin('payment', 'payment.id', 'watched.payment_id')
    .selectAll('watched')
    .select(['payment.confirmations_required', 'payment.created_height'])
    .orderBy('watched.txid')
    .orderBy('watched.id')
    .execute();
  return rows.map(({ confirmations_required, created_height, ...refund }) => ({
    refund,
    terms: { confirmations_required, created_height },
  }));
}

/** Payments, locked in the order of all who lock several, until the transaction ends. */
export async function lockPayments(
  trx: PaymentQuery,
  engine: Engine,
  ids: readonly string[],
): Promise<Map<string, PaymentTable>> {
  const query = trx
    .selectFrom('payment')
    .selectAll()
    .where(isIn(engine, 'id', ids))
    .orderBy('id');
  const rows = await (engine === 'postgres' ? query.forUpdate() : query).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
