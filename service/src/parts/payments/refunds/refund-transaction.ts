/** An unsigned transaction that pays a refund, for the merchant's own wallet to sign. */

import type { RefundTransactionBodyJson, RefundTransactionJson } from '@coinfront/api/refunds.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { buildUnsigned } from '../../../unsigned/build-unsigned.ts';
import { readBodyAddress, readSender } from '../../../unsigned/read-sender.ts';
import type { UnsignedSender } from '../../../unsigned/sender-form.ts';
import { serialiseUnsigned } from '../../../unsigned/serialise-unsigned.ts';
import { hashScript } from '../chain/find-arrivals.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import { isInPool } from '../pool/pool-store.ts';
import { findJudgedTip, listPaidScripts, paymentQuery } from '../requests/payment-store.ts';
import { paymentNotFound } from '../requests/refuse-payment.ts';
import { refundNotFound } from './refund-errors.ts';
import { findRefund } from './refund-store.ts';
import { serialiseRefund } from './serialise-leftover.ts';

/**
 * Prepares a transaction that pays a refund. Without `from` it spends what came to the payment's address. Change never goes where it
 * would be taken for a buyer's money.
 *
 * @throws AppError `payment_not_found`, `refund_not_found`, `refund_closed`, `address_invalid`, `invalid_body`,
 *   `change_address_refused`
 */
export async function buildRefundTransaction(
  context: PaymentRouteContext,
  merchant: Merchant,
  paymentId: string,
  refundId: string,
  body: RefundTransactionBodyJson,
): Promise<RefundTransactionJson> {
  const { precious, profile, readChain } = context;
  const query = paymentQuery(precious);
  const payment = await query
    .selectFrom('payment')
    .select(['address', 'script_hash'])
    .where('id', '=', paymentId)
    .where('merchant_id', '=', merchant.id)
    .executeTakeFirst();
  if (payment === undefined) throw paymentNotFound(paymentId);
  const refund = await findRefund(query, paymentId, refundId);
  if (refund === undefined) throw refundNotFound(refundId);
  if (refund.state === 'confirmed' || refund.state === 'cancelled')
    throw new AppError('refund_closed', `The refund is ${refund.state}: nothing more is to be sent.`);
  const { from = [{ address: payment.address }], change_address: changeAddress, fee_rate } = body;
  const senders = from.map(
    ({ address, public_key }): UnsignedSender => ({
      script: readBodyAddress(address, 'from', profile),
      ...(public_key === undefined ? {} : { publicKey: getHexBytes(public_key.toLowerCase()) }),
    }),
  );
  const changeScript =
    changeAddress === undefined
      ? senders.at(-1)!.script
      : readBodyAddress(changeAddress, 'change_address', profile);
  await checkChange(query, merchant.id, changeScript);
  const outputs = [
    { value: BigInt(refund.amount), script: readBodyAddress(refund.address, 'address', profile) },
  ];
  const made = await readChain(async (view) => {
    const feeRatePerKvb = await readRate(view, from[0]!.address, fee_rate, context);
    const [sender, ...others] = senders;
    const request = { sender: sender!, others, changeScript, outputs, feeRatePerKvb };
    return { feeRatePerKvb, unsigned: await buildUnsigned(view, request, profile) };
  });
  return {
    refund: serialiseRefund(refund, await findJudgedTip(query), profile),
    ...serialiseUnsigned(made.unsigned, made.feeRatePerKvb, profile.decimals),
  };
}

async function readRate(
  view: ChainView,
  address: string,
  fee_rate: string | undefined,
  context: PaymentRouteContext,
): Promise<bigint> {
  const body = { address, ...(fee_rate === undefined ? {} : { fee_rate }) };
  return (await readSender(view, body, context))!.feeRatePerKvb;
}

/** @throws AppError `change_address_refused` */
async function checkChange(query: PaymentQuery, merchantId: string, script: Uint8Array): Promise<void> {
  const hash = hashScript(script);
  const isPooled = await isInPool(query, merchantId, hash);
  if (!isPooled && !(await listPaidScripts(query, merchantId, [hash])).has(hash)) return;
  const detail =
    'Change would go to an address of a payment or of a pool, and be taken for money of a buyer. Give a "change_address" of your wallet.';
  throw new AppError('change_address_refused', detail);
}
