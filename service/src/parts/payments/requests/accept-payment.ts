/** Accepting what came, late or too little: the merchant says that it is enough, the judge says what that makes. */

import { AppError } from '../../../errors.ts';
import { listAllOutputs } from '../chain/output-store.ts';
import { dueOf, isClosed } from '../judging/payment-rules.ts';
import { summedAt, sumUp } from '../judging/payment-sums.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { capResolved } from '../refunds/leftover-rules.ts';
import type { PaymentTable, PaymentTables } from '../schema/payment-tables.ts';
import {
  findJudgedTip,
  findMerchantState,
  findScriptHash,
  findUnfinished,
  holdScript,
  isBusyScript,
  lockPayment,
  writeChanged,
} from './payment-store.ts';
import { paymentNotFound, recipientBusy } from './refuse-payment.ts';
import type { MerchantPaymentState } from './serialise-payment.ts';

/**
 * Accepts what came for a payment as enough: all that is in chain and mempool now, in time or not. It is paid once so
 * much is deep enough; the new status follows at the next look at the chain, with its event. Asked twice it changes
 * nothing the second time, whatever came or went meanwhile.
 *
 * @throws AppError `payment_not_found`, `payment_not_acceptable`, `recipient_busy`
 */
export async function acceptPayment(
  context: PaymentContext,
  merchant: Merchant,
  id: string,
): Promise<MerchantPaymentState> {
  const { precious } = context;
  const { engine } = precious;
  const state = await precious
    .transaction<PaymentTables, MerchantPaymentState>(async (trx) => {
      const scriptHash = await findScriptHash(trx, merchant.id, id);
      if (scriptHash === undefined) throw paymentNotFound(id);
      await holdScript(trx, engine, merchant.id, scriptHash);
      const payment = (await lockPayment(trx, engine, merchant.id, id))!;
      if (payment.accepted_at === null) await accept(trx, context, payment);
      return (await findMerchantState(trx, engine, id))!;
    })
    .catch((error: unknown) => {
      throw isBusyScript(error) ? recipientBusy() : error;
    });
  context.onDue();
  return state;
}

async function accept(
  trx: PaymentQuery,
  { precious, profile, now }: PaymentContext,
  payment: PaymentTable,
): Promise<void> {
  const { id, merchant_id, script_hash, created_height } = payment;
  checkWantsMore(payment);
  const outputs = (await listAllOutputs(trx, precious.engine, [id])).get(id) ?? [];
  const present = outputs.filter(({ excluded, gone }) => excluded === 0 && gone === 0);
  const tipHeight = (await findJudgedTip(trx))?.height ?? created_height;
  const sums = sumUp(payment, present, summedAt(profile, tipHeight));
  if (sums.seen === 0n) throw nothingToAccept('nothing of it is there');
  if (isClosed(payment) && (await findUnfinished(trx, merchant_id, script_hash, id)) !== undefined)
    throw recipientBusy();
  // What was late and is gone counts, too, when it comes back.
  await trx.updateTable('payment_output').set({ late: 0 }).where('payment_id', '=', id).execute();
  const nowMs = now();
  const accepted = {
    ...payment,
    accepted_at: nowMs,
    accepted_amount: String(sums.seen),
    seen: String(sums.seen),
    mined: String(sums.mined),
    deep: String(sums.deep),
    late: '0',
    updated_at: Math.max(nowMs, payment.updated_at + 1),
  };
  await writeChanged(trx, { ...accepted, resolved: capResolved(accepted) });
}

/** By what the payment itself says, before outputs are read, of which it may have tens of thousands. */
function checkWantsMore(payment: PaymentTable): void {
  const { status, seen, refunded } = payment;
  if (refunded !== '0') {
    const detail =
      'Money of the payment goes back, or went back, by a refund: what came cannot be enough as well.';
    throw new AppError('payment_not_acceptable', detail);
  }
  const isShort = (status === 'underpaid' || status === 'reorged') && BigInt(seen) < dueOf(payment);
  if (isClosed(payment) || isShort) return;
  throw nothingToAccept(status === 'open' ? 'nothing of it is there' : `it is ${status}, nothing is missing`);
}

function nothingToAccept(why: string): AppError {
  return new AppError('payment_not_acceptable', `There is nothing to accept: ${why}.`);
}
