import { encodeAddress } from '@coinfront/protocol/address.ts';
import type { Precious } from '../../service/src/db/precious.ts';
import { hashScript } from '../../service/src/parts/payments/chain/find-arrivals.ts';
import { createPaymentId } from '../../service/src/parts/payments/payment-ids.ts';
import { newPaymentRow } from '../../service/src/parts/payments/schema/new-rows.ts';
import type { PaymentTable, PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { testProfile } from '../harness/test-coin.ts';

const PROGRAM_LENGTH = 20;
/** SQLite binds 32,766 values in one statement. */
const ROWS_PER_INSERT = 500;

let lastProgram = 0;

/** A payment that is over, on an address of nobody; the judge has nothing to do with it. */
export function describeListed(merchantId: string, columns: Partial<PaymentTable> = {}): PaymentTable {
  const script = new Uint8Array(PROGRAM_LENGTH + 2);
  script.set([0, PROGRAM_LENGTH]);
  new DataView(script.buffer).setUint32(2, ++lastProgram);
  const address = encodeAddress(script, testProfile)!;
  const madeMs = columns.created_at ?? Date.now();
  return newPaymentRow({
    id: createPaymentId(),
    merchant_id: merchantId,
    status: 'expired',
    reason: 'unpaid',
    recipient: address,
    address,
    script_hash: hashScript(script),
    amount: '100000000',
    created_at: madeMs,
    expires_at: madeMs + 3_600_000,
    created_height: 1,
    check_at: null,
    is_due: 0,
    ...columns,
  });
}

/** Writes payments straight into the tables. */
export async function insertListed(precious: Precious, payments: readonly PaymentTable[]): Promise<void> {
  for (let at = 0; at < payments.length; at += ROWS_PER_INSERT) {
    await precious.transaction<PaymentTables, unknown>((trx) =>
      trx
        .insertInto('payment')
        .values(payments.slice(at, at + ROWS_PER_INSERT))
        .execute(),
    );
  }
}
