import { encodeAddress } from '@coinfront/protocol/address.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import type { Precious } from '../../service/src/db/precious.ts';
import { createPaymentId } from '../../service/src/parts/payments/payment-ids.ts';
import { hashScript } from '../../service/src/parts/payments/pool/parse-recipient.ts';
import { newPaymentRow } from '../../service/src/parts/payments/schema/new-rows.ts';
import type { PaymentTable, PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import type { Random } from '../chain/random.ts';

/** A payment that waits for its money. */
export type OpenPayment = { id: string; address: string };

/** What each of them asks for, in base units and in coins. */
const AMOUNT_UNITS = '10000';
export const AMOUNT = '0.00010000';
const EXPIRES_IN_MS = 30 * 86_400_000;
/** SQLite binds 32,766 values in one statement. */
const ROWS_PER_INSERT = 500;
const PROGRAM_LENGTH = 20;

const profile = getShippedProfile('regtest');

/** A P2WPKH address of nobody. */
export function makeAddress(random: Random): { address: string; scriptHash: string } {
  const program = Uint8Array.from({ length: PROGRAM_LENGTH }, () => random.below(256));
  const script = Uint8Array.of(0, PROGRAM_LENGTH, ...program);
  return { address: encodeAddress(script, profile)!, scriptHash: hashScript(script) };
}

/** Writes open payments straight into the tables: making so many by requests would be another measurement. */
export async function insertOpenPayments(
  precious: Precious,
  options: {
    merchantId: string;
    count: number;
    tipHeight: number;
    random: Random;
    /** What else each has; nothing unless given. */
    columns?: Partial<PaymentTable>;
  },
): Promise<OpenPayment[]> {
  const { merchantId, count, tipHeight, random, columns } = options;
  const made: OpenPayment[] = [];
  while (made.length < count) {
    const rows = Array.from({ length: Math.min(ROWS_PER_INSERT, count - made.length) }, () =>
      makeRow(merchantId, tipHeight, random, columns),
    );
    await precious.transaction<PaymentTables, unknown>((trx) =>
      trx.insertInto('payment').values(rows).execute(),
    );
    made.push(...rows.map(({ id, address }) => ({ id, address })));
  }
  return made;
}

function makeRow(
  merchantId: string,
  tipHeight: number,
  random: Random,
  columns: Partial<PaymentTable> | undefined,
): PaymentTable {
  const { address, scriptHash } = makeAddress(random);
  const nowMs = Date.now();
  return newPaymentRow({
    id: createPaymentId(),
    merchant_id: merchantId,
    recipient: address,
    address,
    script_hash: scriptHash,
    amount: AMOUNT_UNITS,
    confirmations_required: 1,
    created_at: nowMs,
    expires_at: nowMs + EXPIRES_IN_MS,
    created_height: tipHeight,
    is_due: 0,
    ...columns,
  });
}
