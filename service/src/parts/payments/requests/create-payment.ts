/** Makes a payment: its row, its address, what was on that address before, and its first event, in one transaction. */

import { AppError } from '../../../errors.ts';
import { keepEarlier, readGround } from '../chain/payment-ground.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { createPaymentId } from '../payment-ids.ts';
import { type PayableAddress, parsePayableAddress } from '../pool/parse-recipient.ts';
import { leaseAddress } from '../pool/pool-store.ts';
import { type Chosen, takeGiven, takeReady, tellPool } from '../pool/take-address.ts';
import { newPaymentRow } from '../schema/new-rows.ts';
import type { PaymentTable, PaymentTables } from '../schema/payment-tables.ts';
import { recordPaymentEvent } from '../webhooks/record-event.ts';
import {
  findAnswer,
  hashRequest,
  holdKey,
  type KeyedRequest,
  keepAnswer,
  type RunningKeys,
  withRunningKey,
} from './idempotency.ts';
import { claimOrder } from './order-store.ts';
import type { PaymentTerms } from './payment-request.ts';
import { insertPayment, isBusyScript, listExcludedOutputs } from './payment-store.ts';
import { recipientBusy } from './refuse-payment.ts';
import { type JudgedTip, type MerchantPaymentState, serialiseMerchantPayment } from './serialise-payment.ts';
import { type SettledAmount, settleAmount } from './settle-amount.ts';
import { findTolerance } from './tolerance-rules.ts';

/** The answer to a create, as written the first time. */
export type CreateAnswer = { paymentId: string; body: string; isReplay: boolean };

/** Makes payments; one per process, because it knows which idempotency keys are running. An `id` is given where terms name it. */
export function createPaymentMaker(context: PaymentRouteContext) {
  const running: RunningKeys = new Set();
  return async (
    merchant: Merchant,
    terms: PaymentTerms,
    request: { idempotencyKey: string | undefined; body: unknown; id?: string },
  ): Promise<CreateAnswer> => {
    const { idempotencyKey: key, body, id = createPaymentId() } = request;
    if (key === undefined) return await createPayment(context, merchant, terms, undefined, id);
    const keyed = { merchantId: merchant.id, key, requestHash: hashRequest(body) };
    return await withRunningKey(running, keyed, () => createPayment(context, merchant, terms, keyed, id));
  };
}

async function createPayment(
  context: PaymentRouteContext,
  merchant: Merchant,
  terms: PaymentTerms,
  keyed: KeyedRequest | undefined,
  id: string,
): Promise<CreateAnswer> {
  const { precious, onDue, onEvent } = context;
  // Before anything is looked up: a name may have ended since, the index may be behind, and there may be no rate.
  const before = keyed && (await findAnswer(precious.query(), keyed, context.now()));
  if (before !== undefined) return { paymentId: '', body: before, isReplay: true };
  const settled = settleAmount(terms, context);
  const given = terms.recipient === undefined ? undefined : await resolveRecipient(context, terms.recipient);
  const ground = await readGround(context, given?.script);
  const answer = await precious
    .transaction<PaymentTables, CreateAnswer | 'exhausted'>(async (trx) => {
      const nowMs = context.now();
      if (keyed) await holdKey(trx, precious.engine, keyed);
      const kept = keyed && (await findAnswer(trx, keyed, nowMs));
      if (kept !== undefined) return { paymentId: '', body: kept, isReplay: true };
      if (terms.isOrderUnique) await claimOrder(trx, precious.engine, merchant.id, terms.orderId!);
      const { chosen, discarded, previous } = given
        ? await takeGiven(trx, context, merchant.id, given)
        : await takeReady(trx, context, merchant.id);
      if (chosen === undefined) {
        await tellPool(trx, context, merchant, discarded, nowMs);
        return 'exhausted';
      }
      const payment = describePayment(id, merchant, terms, settled, chosen, ground.tip, nowMs);
      const state = { payment, outputs: [], tip: ground.tip };
      await insertPayment(trx, precious.engine, payment);
      await keepEarlier(trx, precious.engine, payment, ground, previous);
      await recordPaymentEvent(trx, context, 'payment.created', state, merchant, nowMs);
      if (!given) {
        await leaseAddress(trx, payment.script_hash, payment.id, nowMs);
        await tellPool(trx, context, merchant, discarded + 1, nowMs);
      }
      const hadMoney = ground.earlier.outputs.length > 0;
      const excluded = hadMoney ? (await listExcludedOutputs(trx, [payment.id])).get(payment.id)! : [];
      const shown = { ...state, excluded } satisfies MerchantPaymentState;
      const body = JSON.stringify(serialiseMerchantPayment(shown, context));
      if (keyed) await keepAnswer(trx, precious.engine, keyed, { status: 201, body }, nowMs);
      return { paymentId: payment.id, body, isReplay: false };
    })
    .catch((error: unknown) => {
      throw isBusyScript(error) ? recipientBusy() : error;
    });
  if (answer === 'exhausted') {
    onEvent();
    const detail = "No address of the merchant's pool is ready; import more. Nothing was stored.";
    throw new AppError('pool_exhausted', detail);
  }
  if (!answer.isReplay) {
    onDue();
    onEvent();
  }
  return answer;
}

/**
 * The address of a recipient: itself, or what a name stands for now. A name has a dot, which no address has.
 *
 * @throws AppError `address_invalid`, `names_unavailable`, `recipient_unresolved`
 */
async function resolveRecipient(
  { profile, resolveName }: PaymentRouteContext,
  recipient: string,
): Promise<PayableAddress> {
  const isName = recipient.includes('.');
  if (isName && resolveName === undefined) {
    throw new AppError('names_unavailable', 'Names are not resolved by this service; give an address.');
  }
  const text = isName ? await resolveName?.(recipient) : recipient;
  if (text === undefined) {
    throw new AppError('recipient_unresolved', 'The name does not exist, or has no address.');
  }
  const parsed = parsePayableAddress(text, profile);
  if (parsed.ok) return parsed.value;
  throw new AppError(
    'address_invalid',
    `"recipient" is no address of ${profile.name} (${profile.chain}) that can be paid: ${parsed.reason}.`,
  );
}

function describePayment(
  id: string,
  merchant: Merchant,
  terms: PaymentTerms,
  { amount, quote }: SettledAmount,
  chosen: Chosen,
  tip: JudgedTip,
  nowMs: number,
): PaymentTable {
  return newPaymentRow({
    id,
    merchant_id: merchant.id,
    recipient: terms.recipient ?? null,
    address: chosen.address,
    script_hash: chosen.scriptHash,
    amount: String(amount),
    tolerance: String(findTolerance(amount, terms.tolerance)),
    description: terms.description,
    order_id: terms.orderId,
    metadata: terms.metadata,
    confirmations_required: terms.confirmationsRequired,
    webhook_url: terms.webhookUrl,
    return_url: terms.returnUrl,
    created_at: nowMs,
    expires_at: nowMs + terms.expiresInMs,
    created_height: tip.height,
    ...quote,
  });
}
