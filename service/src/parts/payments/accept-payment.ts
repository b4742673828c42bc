/** Accepting what came late, or was too little in time: the merchant decides, the judge says what it makes. */

import { AppError } from '../../errors.ts';
import type { Merchant } from './merchant-store.ts';
import type { PaymentContext } from './payment-context.ts';
import {
  findPaymentState,
  findScriptHash,
  findUnfinished,
  holdScript,
  isBusyScript,
  lockPayment,
} from './payment-store.ts';
import type { PaymentTable, PaymentTables } from './payment-tables.ts';
import { paymentNotFound, recipientBusy } from './refuse-payment.ts';
import type { PaymentState } from './serialise-payment.ts';

/**
 * Accepts an expired or cancelled payment that has money. From now on late money counts, and nothing comes too late; the
 * new status follows at the next look at the chain, with its event.
 *
 * @throws AppError `payment_not_found`, `payment_not_acceptable`, `recipient_busy`
 */
export async function acceptPayment(
  context: PaymentContext,
  merchant: Merchant,
  id: string,
): Promise<PaymentState> {
  const { precious } = context;
  const state = await precious
    .transaction<PaymentTables, PaymentState>(async (trx) => {
      const scriptHash = await findScriptHash(trx, merchant.id, id);
      if (scriptHash === undefined) throw paymentNotFound(id);
      await holdScript(trx, precious.engine, scriptHash);
      const payment = (await lockPayment(trx, precious.engine, merchant.id, id))!;
      checkAcceptable(payment);
      if ((await findUnfinished(trx, payment.script_hash, id)) !== undefined) throw recipientBusy();
      const nowMs = context.now();
      await trx
        .updateTable('payment')
        .set({ accepted_at: nowMs, updated_at: Math.max(nowMs, payment.updated_at + 1), is_due: 1 })
        .where('id', '=', id)
        .execute();
      return (await findPaymentState(trx, precious.engine, id))!;
    })
    .catch((error: unknown) => {
      throw isBusyScript(error) ? recipientBusy() : error;
    });
  context.onDue();
  return state;
}

function checkAcceptable({ status, accepted_at, seen, late }: PaymentTable): void {
  const isClosed = (status === 'expired' || status === 'cancelled') && accepted_at === null;
  if (isClosed && (seen !== '0' || late !== '0')) return;
  const why = isClosed ? 'no money came' : accepted_at === null ? `it is ${status}` : 'it was accepted';
  throw new AppError('payment_not_acceptable', `There is nothing to accept: ${why}.`);
}
