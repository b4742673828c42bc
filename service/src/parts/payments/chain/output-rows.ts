/** Rows of outputs: as they begin, and as they move between mempool and blocks. */

import { CompiledQuery } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
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

/** The row of an output where it is now; undefined when that is where it was. */
export function describeMove(
  row: PaymentOutputTable,
  output: FoundOutput,
  seen: UnconfirmedTraits | undefined,
  nowMs: number,
): PaymentOutputTable | undefined {
  const moved = {
    ...row,
    ...placeColumns(output, seen, row),
    gone: 0,
    first_seen_at: Math.min(row.first_seen_at, seenAt(output, nowMs)),
  };
  return movedColumns.some(([name]) => moved[name] !== row[name]) ? moved : undefined;
}

const keyColumns = [
  ['txid', 'text'],
  ['vout', 'bigint'],
  ['merchant_id', 'text'],
] as const;
const movedColumns = [
  ['height', 'bigint'],
  ['block_hash', 'text'],
  ['block_time', 'bigint'],
  ['replaceable', 'bigint'],
  ['fee_rate', 'text'],
  ['gone', 'bigint'],
  ['first_seen_at', 'bigint'],
] as const satisfies readonly (readonly [keyof PaymentOutputTable, string])[];
const columns = [...keyColumns, ...movedColumns];
const assignments = movedColumns.map(([name]) => `${name} = j.${name}`).join(', ');
const isSameRow = keyColumns.map(([name]) => `payment_output.${name} = j.${name}`).join(' and ');

/** One statement for all rows, handed over as JSON: a block moves thousands. */
const statements: Readonly<Record<Precious['engine'], string>> = {
  sqlite: `update payment_output set ${assignments} from (
    select ${columns.map(([name]) => `value ->> '$.${name}' as ${name}`).join(', ')} from json_each(?)
  ) as j where ${isSameRow}`,
  postgres: `update payment_output set ${assignments} from jsonb_to_recordset($1::jsonb) as j (
    ${columns.map(([name, type]) => `${name} ${type}`).join(', ')}
  ) where ${isSameRow}`,
};

/** Writes where outputs are now. */
export async function writeMoved(
  trx: PaymentQuery,
  engine: Precious['engine'],
  moved: readonly PaymentOutputTable[],
): Promise<void> {
  if (moved.length === 0) return;
  const rows = moved.map((row) => Object.fromEntries(columns.map(([name]) => [name, row[name]])));
  await trx.executeQuery(CompiledQuery.raw(statements[engine], [JSON.stringify(rows)]));
}
