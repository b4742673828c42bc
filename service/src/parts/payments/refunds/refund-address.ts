/** Where the buyer wants money back. Who knows the link of the checkout page can say it, once; the merchant can remove it. */

import type { LeftoverJson } from '@coinfront/api/refunds.ts';
import { AppError } from '../../../errors.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentContext } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import { paymentNotFound } from '../requests/refuse-payment.ts';
import { changeLeftover } from './change-leftover.ts';
import { checkRefundAddress } from './check-refund-address.ts';
import { nothingToRefund } from './refund-errors.ts';

/**
 * Keeps the address that a buyer gives, the first word only, and tells the merchant. The same word again changes nothing.
 *
 * @throws AppError `payment_not_found`, `nothing_to_refund`, `refund_address_given`, `address_invalid`
 */
export async function giveRefundAddress(
  context: PaymentContext,
  paymentId: string,
  text: string,
): Promise<void> {
  const { profile, precious } = context;
  const found = await paymentQuery(precious)
    .selectFrom('payment')
    .select('merchant_id')
    .where('id', '=', paymentId)
    .executeTakeFirst();
  if (found === undefined) throw paymentNotFound(paymentId);
  await changeLeftover(
    context,
    { id: found.merchant_id },
    paymentId,
    async (_, { payment, balance }, nowMs) => {
      const { address } = checkRefundAddress(payment, text.trim(), 'This', profile);
      if (payment.refund_address === address) return undefined;
      if (payment.refund_address !== null) {
        const detail = 'An address was given before. Only the merchant can remove it: ask there.';
        throw new AppError('refund_address_given', detail);
      }
      if (balance.open === 0n) throw nothingToRefund('nothing is left over of this payment');
      return {
        columns: { refund_address: address, refund_address_at: nowMs },
        news: [{ type: 'refund.address', refundId: null }],
      };
    },
  );
}

/**
 * Removes the address of the buyer, so that another can be given. Refunds that were made keep theirs.
 *
 * @throws AppError `payment_not_found`
 */
export async function removeRefundAddress(
  context: PaymentContext,
  merchant: Merchant,
  paymentId: string,
): Promise<LeftoverJson> {
  return await changeLeftover(context, merchant, paymentId, async (_, { payment }) =>
    payment.refund_address === null
      ? undefined
      : { columns: { refund_address: null, refund_address_at: null }, news: [] },
  );
}
