/**
 * Old money and what takes its place. A transaction that paid a script before a payment asked for that script is not the
 * payment's; nor is what replaces it, with a higher fee or in another branch of the chain: both spend an outpoint in common.
 */

import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { type EarlierSpendTable, exclusions } from '../schema/payment-tables.ts';
import type { FoundOutput, Outpoint } from './find-arrivals.ts';
import { isIn } from './is-in.ts';

/** Where old money belongs: to an earlier payment, or, excluded, to the one that it was there before. */
export type Belonging = Pick<EarlierSpendTable, 'payment_id' | 'excluded'>;

/** Old money of some scripts, as far as it is known. */
export type EarlierSpends = {
  /** Where an output belongs because it takes the place of old money; undefined for new money. */
  find(merchantId: string, output: FoundOutput): Belonging | undefined;
  /** Payments that old money belongs to. */
  paymentIds(): string[];
};

/** SQLite binds 32,766 values in one statement. */
const ROWS_PER_INSERT = 2_000;

/** Reads what is known of old money at these scripts; mostly nothing. */
export async function readEarlierSpends(
  trx: PaymentQuery,
  engine: Precious['engine'],
  scriptHashes: readonly string[],
): Promise<EarlierSpends> {
  const rows = await trx
    .selectFrom('earlier_spend')
    .selectAll()
    .where(isIn(engine, 'script_hash', scriptHashes))
    .execute();
  const known = new Map(rows.map((row) => [nameSpend(row.merchant_id, row.script_hash, row), row]));
  return {
    find(merchantId, output) {
      if (known.size === 0) return undefined;
      for (const spend of output.spends()) {
        const row = known.get(nameSpend(merchantId, output.scriptHash, spend));
        if (row !== undefined) return { payment_id: row.payment_id, excluded: replacing(row.excluded) };
      }
      return undefined;
    },
    paymentIds: () => [...new Set(rows.map((row) => row.payment_id))],
  };
}

/** What replaces excluded money says so. */
function replacing(excluded: number): number {
  return excluded === 0 ? 0 : exclusions.replacesEarlier;
}

function nameSpend(merchantId: string, scriptHash: string, { txid, vout }: Outpoint): string {
  return `${merchantId} ${scriptHash} ${txid}:${vout}`;
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
      .onConflict((conflict) => conflict.columns(['script_hash', 'merchant_id', 'txid', 'vout']).doNothing())
      .execute();
  }
}
