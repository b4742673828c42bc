/** Payments whose scripts have to be looked through: new ones, and those that their merchant changed. */

import { type SqlBool, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import { isIn } from './is-in.ts';

/** Payments that are new, or changed by their merchant: their scripts have to be looked through. */
export async function listNewPayments(
  db: PaymentQuery,
  afterId: string,
  limit: number,
): Promise<Pick<PaymentTable, 'id' | 'script_hash' | 'created_height'>[]> {
  return await db
    .selectFrom('payment')
    .select(['id', 'script_hash', 'created_height'])
    .where(sql<SqlBool>`is_due = 1`)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Notes that the scripts of these payments were looked through. An open one for which nothing was found stays what it
 * is: it is not due.
 *
 * @param found those for which something was found
 */
export async function recordScanned(
  trx: PaymentQuery,
  engine: Precious['engine'],
  ids: readonly string[],
  found: ReadonlySet<string>,
): Promise<void> {
  const quiet = ids.filter((id) => !found.has(id));
  const isNew = sql<SqlBool>`is_due = 1`;
  if (quiet.length > 0) {
    await trx
      .updateTable('payment')
      .set({ is_due: sql<number>`case status when 'open' then 0 else 2 end` })
      .where(isIn(engine, 'id', quiet))
      .where(isNew)
      .execute();
  }
  if (found.size > 0) {
    await trx
      .updateTable('payment')
      .set({ is_due: 2 })
      .where(isIn(engine, 'id', [...found]))
      .where(isNew)
      .execute();
  }
}
