/**
 * After an older copy of the data was put back: addresses that it takes for ready may have been leased since it was made, to payments
 * that it does not know. Leased once more, the money of the first buyer would be credited to the second one's payment.
 */

import { sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { recordPoolEvent } from '../webhooks/record-event.ts';

/** What may have been leased since a copy was made. */
export type Leasable = {
  /** When the copy was made, Unix milliseconds; a later time is on the safe side. */
  sinceMs: number;
  /** How many of a merchant's addresses have been leased since at most, in their order; undefined: any number. */
  atMost: number | undefined;
};

/** What was done. */
export type Retired = {
  merchants: { id: string; name: string; retired: number; ready: number }[];
  /** Payments that have leased an address since then: unless the copy was made later, others may have the same. */
  leasedSince: { payment_id: string; address: string }[];
};

/** How many of the payments that have leased since are named. */
const NAMED = 1_000;

/** Addresses that were imported later were in no pool then. */
function retireSql({ sinceMs, atMost }: Leasable): string {
  const ready = `state = 'ready' and imported_at <= ${whole(sinceMs)}`;
  const bound =
    atMost === undefined
      ? ''
      : ` and script_hash in (select script_hash from (
          select script_hash, row_number() over (partition by merchant_id order by position) as turn
          from pool_address where ${ready}) as next where turn <= ${whole(atMost)})`;
  return `update pool_address set state = 'retired' where ${ready}${bound}`;
}

/** Retires what may have been leased since, for good, and tells merchants whose pool is low or empty by it. */
export async function retireLeasable(
  precious: Precious,
  leasable: Leasable,
  nowMs: number,
): Promise<Retired> {
  return await precious.transaction<PaymentTables, Retired>(async (trx) => {
    const { rows } = await sql
      .raw<{ merchant_id: string }>(`${retireSql(leasable)} returning merchant_id`)
      .execute(trx);
    const retired = new Map<string, number>();
    for (const { merchant_id } of rows) retired.set(merchant_id, (retired.get(merchant_id) ?? 0) + 1);
    const leasedSince = await trx
      .selectFrom('pool_address')
      .select(['payment_id', 'address'])
      .where('leased_at', '>', leasable.sinceMs)
      .where('payment_id', 'is not', null)
      .orderBy('leased_at')
      .limit(NAMED)
      .execute();
    const merchants: Retired['merchants'] = [];
    for (const [id, count] of retired) {
      const merchant = await trx
        .selectFrom('merchant')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const { ready } = await trx
        .selectFrom('pool_address')
        .select(({ fn }) => fn.countAll<number>().as('ready'))
        .where('merchant_id', '=', id)
        .where('state', '=', 'ready')
        .executeTakeFirstOrThrow();
      merchants.push({ id, name: merchant.name, retired: count, ready });
      if (ready < merchant.pool_low_threshold) await recordPoolEvent(trx, 'pool.low', merchant, ready, nowMs);
      if (ready === 0) await recordPoolEvent(trx, 'pool.exhausted', merchant, ready, nowMs);
    }
    merchants.sort((a, b) => (a.id < b.id ? -1 : 1));
    return { merchants, leasedSince: leasedSince as Retired['leasedSince'] };
  });
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number.`);
  return String(value);
}
