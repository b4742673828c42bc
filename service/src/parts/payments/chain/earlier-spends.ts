/**
 * Old money and what takes its place. A transaction that paid a script before a payment asked for that script is not the
 * payment's; nor is what replaces it, with a higher fee or in another branch of the chain: both spend an outpoint in common.
 */

import { type SqlBool, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import { finalConfirmations } from '../judging/payment-sums.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { type EarlierSpendTable, exclusions } from '../schema/payment-tables.ts';
import type { Outpoint } from './find-arrivals.ts';
import { isIn } from './is-in.ts';

type Engine = Precious['engine'];

/** Where old money belongs: to an earlier payment, or, excluded, to the one that it was there before. */
export type Belonging = Pick<EarlierSpendTable, 'payment_id' | 'excluded'>;

/** SQLite binds 32,766 values in one statement. */
const ROWS_PER_INSERT = 2_000;

/** Those of the scripts that had money before a payment asked for them; mostly none. */
export async function listScriptsWithOldMoney(
  trx: PaymentQuery,
  engine: Engine,
  scriptHashes: readonly string[],
): Promise<Set<string>> {
  const asked =
    engine === 'postgres'
      ? sql`unnest(${scriptHashes}::text[]) as asked (value)`
      : sql`json_each(${JSON.stringify(scriptHashes)}) as asked`;
  const { rows } = await sql<{ value: string }>`
    select asked.value as value from ${asked}
    where exists (select 1 from earlier_spend where script_hash = asked.value)`.execute(trx);
  return new Set(rows.map(({ value }) => value));
}

/**
 * Where money to a script belongs that spends these outpoints, for each merchant for whom it takes the place of old money.
 */
export async function findBelongings(
  trx: PaymentQuery,
  engine: Engine,
  scriptHash: string,
  spends: readonly Outpoint[],
): Promise<Map<string, Belonging>> {
  if (spends.length === 0) return new Map();
  const rows = await trx
    .selectFrom('earlier_spend')
    .selectAll()
    .where('script_hash', '=', scriptHash)
    .where(isIn(engine, 'txid', [...new Set(spends.map(({ txid }) => txid))]))
    .execute();
  const spent = new Set(spends.map(nameOutpoint));
  return new Map(
    rows
      .filter((row) => spent.has(nameOutpoint(row)))
      .map(({ merchant_id, payment_id, excluded }) => [
        merchant_id,
        // What replaces excluded money says so.
        { payment_id, excluded: excluded === 0 ? 0 : exclusions.replacesEarlier },
      ]),
  );
}

function nameOutpoint({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`;
}

/** Remembers outpoints that old money spends. One that is known stays where it belongs. */
export async function keepEarlierSpends(
  trx: PaymentQuery,
  spends: readonly EarlierSpendTable[],
): Promise<void> {
  for (let start = 0; start < spends.length; start += ROWS_PER_INSERT) {
    await trx
      .insertInto('earlier_spend')
      .values(spends.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict
          .columns(['script_hash', 'txid', 'vout', 'merchant_id'])
          .doUpdateSet(({ ref }) => ({ spender: ref('excluded.spender') })),
      )
      .execute();
  }
}

/** Forgets what a script's transactions spend that are too deep in blocks to be replaced. */
export async function forgetDeepSpends(
  trx: PaymentQuery,
  merchantId: string,
  scriptHash: string,
  tipHeight: number,
): Promise<void> {
  await trx
    .deleteFrom('earlier_spend')
    .where('script_hash', '=', scriptHash)
    .where('merchant_id', '=', merchantId)
    .where('spender', 'in', (row) =>
      row
        .selectFrom('payment_output')
        .select('txid')
        .where('merchant_id', '=', merchantId)
        .where(sql<SqlBool>`height is not null`)
        .where('height', '<=', tipHeight - finalConfirmations)
        .whereRef('txid', '=', 'earlier_spend.spender'),
    )
    .execute();
}
