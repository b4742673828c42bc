/** The payments that outputs belong to, held while their outputs are written. */

import { type SqlBool, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import { isIn } from './is-in.ts';

/** What is asked of a payment before it gets an output. */
export type Owner = Pick<
  PaymentTable,
  'id' | 'merchant_id' | 'script_hash' | 'status' | 'accepted_at' | 'created_height'
>;

/**
 * Locks payments before their outputs are changed. Their merchants lock in the same order, payment and then outputs, so
 * neither waits for the other for ever.
 */
export async function holdPayments(
  trx: PaymentQuery,
  engine: Precious['engine'],
  ids: readonly string[],
): Promise<void> {
  if (engine !== 'postgres' || ids.length === 0) return;
  await trx
    .selectFrom('payment')
    .select('id')
    .where(isIn(engine, 'id', [...new Set(ids)]))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Each merchant's newest payment of each script, and further ones by their ids, held until the transaction ends so that
 * their status cannot change meanwhile.
 */
export async function listOwners(
  trx: PaymentQuery,
  engine: Precious['engine'],
  scriptHashes: readonly string[],
  ids: readonly string[],
): Promise<{ newest: Map<string, Owner[]>; byId: Map<string, Owner> }> {
  const isNewest = sql<SqlBool>`(${isIn(engine, 'script_hash', scriptHashes)} and superseded = 0)`;
  const isNamed = isIn(engine, 'id', ids);
  const query = trx
    .selectFrom('payment')
    .select(['id', 'merchant_id', 'script_hash', 'status', 'accepted_at', 'created_height', 'superseded'])
    .where((where) => (ids.length === 0 ? isNewest : where.or([isNewest, isNamed])))
    .orderBy('id');
  const rows = await (engine === 'postgres' ? query.forUpdate() : query).execute();
  return {
    newest: Map.groupBy(
      rows.filter(({ superseded }) => superseded === 0),
      (row) => row.script_hash,
    ),
    byId: new Map(rows.map((row) => [row.id, row])),
  };
}
