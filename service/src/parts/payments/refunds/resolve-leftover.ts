/** Settling what is left over by the merchant's word: it was settled elsewhere, or is not worth sending back. */

import type { LeftoverJson } from '@coinfront/api/refunds.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentContext } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import { changeLeftover } from './change-leftover.ts';
import { resolveRest } from './leftover-rules.ts';
import { checkNote, nothingToRefund } from './refund-errors.ts';

/**
 * Lets be what is open of a payment, settled or not, or what is missing to its refunds, and keeps the word. More money after that is open again. Asked twice it
 * changes nothing.
 *
 * @throws AppError `payment_not_found`, `nothing_to_refund`, `invalid_body`
 */
export async function resolveLeftover(
  context: PaymentContext,
  merchant: Merchant,
  paymentId: string,
  text: string,
): Promise<LeftoverJson> {
  const note = checkNote(text);
  return await changeLeftover(context, merchant, paymentId, async (trx, { payment, balance }, nowMs) => {
    if (balance.isSettled) {
      if (payment.resolved !== '0') return undefined;
      throw nothingToRefund('nothing is open, so that nothing is to be resolved');
    }
    await trx
      .insertInto('resolution')
      .values({
        id: createId('rsl'),
        payment_id: paymentId,
        amount: String(balance.open),
        uncovered: String(balance.uncovered),
        note,
        created_at: nowMs,
      })
      .execute();
    return { columns: { resolved: resolveRest(balance) }, news: [] };
  });
}
