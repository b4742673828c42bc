/** Makes a refund: a record of what goes back and where. Nothing is sent by it. */

import { type RefundRequestJson, refundLimits } from '@coinfront/api/refunds.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { AppError } from '../../../errors.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentContext } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import {
  findAnswer,
  hashRequest,
  holdKey,
  type KeyedRequest,
  keepAnswer,
  type RunningKeys,
  withRunningKey,
} from '../requests/idempotency.ts';
import type { PaymentTable, PaymentTables } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';
import { type Change, changeWithin } from './change-leftover.ts';
import { checkRefundAddress } from './check-refund-address.ts';
import { findRefundable } from './leftover-rules.ts';
import { checkNote, nothingToRefund } from './refund-errors.ts';
import { type Leftover, serialiseLeftover } from './serialise-leftover.ts';

/** The answer to a create, as written the first time. */
export type RefundAnswer = { body: string; isReplay: boolean };

/** Makes refunds; one per process, because it knows which idempotency keys are running. */
export function createRefundMaker(context: PaymentContext) {
  const running: RunningKeys = new Set();
  return async (
    merchant: Merchant,
    paymentId: string,
    body: RefundRequestJson,
    key: string | undefined,
  ): Promise<RefundAnswer> => {
    if (key === undefined) return await createRefund(context, merchant, paymentId, body, undefined);
    const requestHash = hashRequest({ refund_of: paymentId, ...body });
    const keyed = { merchantId: merchant.id, key, requestHash };
    return await withRunningKey(running, keyed, () =>
      createRefund(context, merchant, paymentId, body, keyed),
    );
  };
}

async function createRefund(
  context: PaymentContext,
  merchant: Merchant,
  paymentId: string,
  request: RefundRequestJson,
  keyed: KeyedRequest | undefined,
): Promise<RefundAnswer> {
  const { precious, profile, now, onEvent } = context;
  const { engine } = precious;
  const note = checkNote(request.note ?? '');
  const asked = request.amount === undefined ? undefined : checkAmount(request.amount, profile);
  const answer = await precious.transaction<PaymentTables, RefundAnswer>(async (trx) => {
    if (keyed) await holdKey(trx, engine, keyed);
    const kept = keyed && (await findAnswer(trx, keyed, now()));
    if (kept !== undefined) return { body: kept, isReplay: true };
    const leftover = await changeWithin(trx, context, merchant, paymentId, async (_, before, nowMs) => {
      const made = describeRefund(before, { asked, address: request.address, note }, profile, nowMs);
      await trx.insertInto('refund').values(made.refund).execute();
      return made.change;
    });
    const body = JSON.stringify(serialiseLeftover(leftover, profile));
    if (keyed) await keepAnswer(trx, engine, keyed, { status: 201, body }, now());
    return { body, isReplay: false };
  });
  if (!answer.isReplay) onEvent();
  return answer;
}

type Asked = { asked: bigint | undefined; address: string | undefined; note: string };

function describeRefund(
  { payment, balance, refunds }: Leftover,
  { asked, address, note }: Asked,
  profile: CoinProfile,
  nowMs: number,
): { refund: RefundTable; change: Change } {
  if (refunds.length >= refundLimits.ofPayment) {
    const detail = `The payment has ${refunds.length} refunds, cancelled ones counted; no more are kept.`;
    throw new AppError('refunds_exhausted', detail);
  }
  const target = readTarget(payment, address, profile);
  const refundable = findRefundable(balance);
  const show = (value: bigint) => `${formatAmount(value, profile.decimals)} ${profile.ticker}`;
  if (balance.total <= balance.refunded) {
    throw nothingToRefund(
      balance.total === 0n ? 'nothing is left over of the payment' : 'all that is left over is in refunds',
    );
  }
  if (asked === undefined && balance.open === 0n)
    throw nothingToRefund('what is left over was resolved; say an "amount"');
  if (refundable === 0n) {
    const detail = `${show(balance.total - balance.refunded)} came, and may go away again: it has not the confirmations that the payment asks for. Wait for them.`;
    throw new AppError('refund_too_early', detail);
  }
  const amount = asked ?? (refundable < balance.open ? refundable : balance.open);
  if (amount > refundable) {
    const detail = `"amount" is ${show(amount)}, and ${show(refundable)} can go back: what is left over, has its confirmations, and is in no other refund.`;
    throw new AppError('refund_too_large', detail);
  }
  if (amount < profile.dustLimit) {
    const detail = `Nodes relay no output of less than ${show(profile.dustLimit)}, and this is ${show(amount)}. Resolve it instead.`;
    throw new AppError('output_dust', detail);
  }
  const id = createId('ref');
  const refunded = balance.refunded + amount;
  const rest = balance.total - refunded;
  const resolved = balance.resolved < rest ? balance.resolved : rest;
  return {
    refund: {
      ...{ id, merchant_id: payment.merchant_id, payment_id: payment.id },
      ...{ state: 'open', amount: String(amount), note },
      ...{ address: target.address, script_hash: target.scriptHash },
      ...{ txid: null, earlier: '[]', vout: null, seen: 0, height: null, problem: null, final: 0 },
      ...{ created_at: nowMs, sent_at: null, confirmed_at: null, cancelled_at: null },
    },
    change: {
      columns: { refunded: String(refunded), resolved: String(resolved) },
      news: [{ type: 'refund.created', refundId: id }],
    },
  };
}

/** @throws AppError `refund_address_missing`, `address_invalid` */
function readTarget(payment: PaymentTable, given: string | undefined, profile: CoinProfile) {
  const text = given ?? payment.refund_address;
  if (text === null) {
    const detail = 'The buyer gave no address on the checkout page: ask for one, and give it as "address".';
    throw new AppError('refund_address_missing', detail);
  }
  return checkRefundAddress(payment, text, '"address"', profile);
}

/** @throws AppError `amount_invalid` */
function checkAmount(text: string, { decimals }: CoinProfile): bigint {
  const amount = parseAmount(text, decimals);
  if (!amount.ok) throw new AppError('amount_invalid', `"amount": ${amount.reason}.`);
  if (amount.value > 0n) return amount.value;
  throw new AppError('amount_invalid', '"amount" is zero.');
}
