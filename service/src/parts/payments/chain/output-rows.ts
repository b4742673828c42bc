/** Rows of outputs: as they begin, and as they move between mempool and blocks. */

import { isClosed } from '../judging/payment-rules.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { EarlierSpendTable, PaymentOutputTable } from '../schema/payment-tables.ts';
import type { FoundOutput } from './find-arrivals.ts';
import type { Owner } from './output-owners.ts';
import type { UnconfirmedTraits } from './unconfirmed-traits.ts';

type Found = { excluded: number; seen: UnconfirmedTraits | undefined; nowMs: number };

/** An output that nobody had yet, as a payment's. */
export function createRow(
  output: FoundOutput,
  payment: Owner,
  { excluded, seen, nowMs }: Found,
): PaymentOutputTable {
  return {
    txid: output.txid,
    vout: output.vout,
    merchant_id: payment.merchant_id,
    payment_id: payment.id,
    value: String(output.value),
    coinbase: output.isCoinbase ? 1 : 0,
    ...placeColumns(output, seen, { replaceable: null, fee_rate: null }),
    first_seen_at: seenAt(output, nowMs),
    gone: 0,
    excluded,
    late: isClosed(payment) ? 1 : 0,
  };
}

/** What the transaction of an output spends, as old money of the payment that the output belongs to. */
export function listSpendsOf(output: FoundOutput, payment: Owner, excluded: number): EarlierSpendTable[] {
  const { id: payment_id, merchant_id } = payment;
  const shared = { merchant_id, script_hash: output.scriptHash, payment_id, excluded };
  return output.spends().map((spend) => ({ ...shared, ...spend, spender: output.txid }));
}

type Traits = Pick<PaymentOutputTable, 'replaceable' | 'fee_rate'>;

function placeColumns(
  { place }: FoundOutput,
  seen: UnconfirmedTraits | undefined,
  before: Traits,
): Pick<PaymentOutputTable, 'height' | 'block_hash' | 'block_time'> & Traits {
  const fee_rate = seen?.feeRate ?? before.fee_rate;
  if (place.height === null) {
    const replaceable = seen === undefined ? before.replaceable : seen.replaceable ? 1 : 0;
    return { height: null, block_hash: null, block_time: null, replaceable, fee_rate };
  }
  const { height, blockHash: block_hash, blockTimeMs: block_time } = place;
  return { height, block_hash, block_time, replaceable: 0, fee_rate };
}

/** A miner's clock may be ahead: what is known now was seen now at the latest. */
function seenAt({ place }: FoundOutput, nowMs: number): number {
  return Math.min(place.height === null ? place.firstSeenMs : place.blockTimeMs, nowMs);
}

/** Writes where an output is now. @returns whether anything changed */
export async function moveOutput(
  trx: PaymentQuery,
  row: PaymentOutputTable,
  output: FoundOutput,
  seen: UnconfirmedTraits | undefined,
  nowMs: number,
): Promise<boolean> {
  const change = {
    ...placeColumns(output, seen, row),
    gone: 0,
    first_seen_at: Math.min(row.first_seen_at, seenAt(output, nowMs)),
  };
  const isSame = Object.entries(change).every(([name, value]) => row[name as keyof typeof row] === value);
  if (isSame) return false;
  await trx
    .updateTable('payment_output')
    .set(change)
    .where('txid', '=', row.txid)
    .where('vout', '=', row.vout)
    .where('merchant_id', '=', row.merchant_id)
    .execute();
  return true;
}
