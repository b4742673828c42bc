/** A merchant's payments in an order, as far as a request may look for them. */

import type { PaymentSort } from '@coinfront/api/payment-lists.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { TimedPlace } from '../../../http/cursor.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { PaymentFilter } from './payment-filter.ts';

/** Rows that one request looks at for those that fit: a rare status or word gives short pages that go on. */
export const MAX_LOOKED = 5_000;

/** Which way the rows are ordered by their creation. */
const orders = {
  created: { direction: 'desc', beyond: '<' },
  created_asc: { direction: 'asc', beyond: '>' },
} as const satisfies Record<PaymentSort, unknown>;

/** A page; `next` is where the next one begins, undefined at the end. */
export type PaymentPage = { payments: PaymentTable[]; next: TimedPlace | undefined };

/** Lists payments beyond a place. */
export async function listPayments(
  query: PaymentQuery,
  engine: Precious['engine'],
  merchantId: string,
  filter: PaymentFilter,
  beyond: TimedPlace | undefined,
  limit: number,
): Promise<PaymentPage> {
  const { statuses, orderId, exact, words, created } = filter;
  const { direction, beyond: isBeyond } = orders[filter.sort];
  let looked = query
    .selectFrom('payment')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', direction)
    .orderBy('id', direction);
  if (beyond !== undefined) {
    looked = looked.where((row) =>
      row.and([
        row('created_at', `${isBeyond}=`, beyond.atMs),
        row.or([row('created_at', isBeyond, beyond.atMs), row('id', isBeyond, beyond.id)]),
      ]),
    );
  }
  if (exact !== undefined) {
    if ('id' in exact) looked = looked.where('id', '=', exact.id);
    else if ('scriptHash' in exact) looked = looked.where('script_hash', '=', exact.scriptHash);
    else {
      looked = looked.where('id', 'in', (row) =>
        row
          .selectFrom('payment_output')
          .select('payment_id')
          .where('txid', '=', exact.txid)
          .where('excluded', '=', 0),
      );
    }
  }
  for (const condition of describeCreated(created)) looked = looked.where(condition);
  if (orderId !== undefined) looked = looked.where(sql<SqlBool>`order_id = ${orderId}`);
  /** What no index finds in this order. */
  const searched: Expression<SqlBool>[] = [];
  if (statuses.length > 0) searched.push(sql<SqlBool>`status in (${sql.join(statuses)})`);
  if (words !== undefined) {
    // Both ignore the case of ASCII.
    const like = sql.raw(engine === 'postgres' ? 'ilike' : 'like');
    searched.push(sql<SqlBool>`description ${like} ${likePattern(words)} escape '\\'`);
  }
  // What an index finds needs no bound; what has to be looked for does.
  const isBounded = searched.length > 0 && exact === undefined;
  let rows = query
    .selectFrom((isBounded ? looked.limit(MAX_LOOKED) : looked).as('looked'))
    .selectAll()
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit + 1);
  for (const condition of searched) rows = rows.where(condition);
  const found = await rows.execute();
  const payments = found.slice(0, limit);
  const placeOf = ({ created_at, id }: Pick<PaymentTable, 'id' | 'created_at'>): TimedPlace => ({
    atMs: created_at,
    id,
  });
  if (found.length > limit) return { payments, next: placeOf(payments.at(-1)!) };
  if (!isBounded) return { payments, next: undefined };
  const [last] = await query
    .selectFrom(looked.clearSelect().select(['created_at', 'id']).limit(MAX_LOOKED).as('looked'))
    .selectAll()
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(1)
    .offset(MAX_LOOKED - 1)
    .execute();
  return { payments, next: last && placeOf(last) };
}

function describeCreated({ fromMs, belowMs }: PaymentFilter['created']) {
  return [
    ...(fromMs === undefined ? [] : [sql<SqlBool>`created_at >= ${fromMs}`]),
    ...(belowMs === undefined ? [] : [sql<SqlBool>`created_at < ${belowMs}`]),
  ];
}

function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
}
