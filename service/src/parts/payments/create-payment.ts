/** Makes a payment: its row, its address, what was on that address before, and its first event, in one transaction. */

import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import { AppError } from '../../errors.ts';
import {
  findAnswer,
  hashRequest,
  type KeyedRequest,
  keepAnswer,
  type RunningKeys,
  withRunningKey,
} from './idempotency.ts';
import { type EarlierOutput, hasNoHistory, listEarlierOutputs } from './list-earlier-outputs.ts';
import type { Merchant } from './merchant-store.ts';
import { type PayableAddress, parsePayableAddress } from './parse-recipient.ts';
import type { PaymentQuery, PaymentRouteContext } from './payment-context.ts';
import { createPaymentId } from './payment-ids.ts';
import type { PaymentTerms } from './payment-request.ts';
import { findUnfinished, holdScript, isBusyScript, supersedePayments } from './payment-store.ts';
import type { PaymentTable, PaymentTables } from './payment-tables.ts';
import {
  countReadyAfterLease,
  discardAddress,
  findReadyAddress,
  holdPools,
  isInPool,
  leaseAddress,
} from './pool-store.ts';
import { recordPaymentEvent, recordPoolEvent } from './record-event.ts';
import { recipientBusy } from './refuse-payment.ts';
import { type JudgedTip, type PaymentState, serialiseMerchantPayment } from './serialise-payment.ts';

/** The answer to a create, as written the first time. */
export type CreateAnswer = { paymentId: string; body: string; isReplay: boolean };

/** Used addresses of a pool that one request passes over at most. */
const MAX_DISCARDED = 100;

type Chosen = Pick<PayableAddress, 'address' | 'scriptHash'>;
/** What the chain said before the transaction. */
type Ground = { tip: JudgedTip; earlier: readonly EarlierOutput[] };

/** Makes payments; one per process, because it knows which idempotency keys are running. */
export function createPaymentMaker(context: PaymentRouteContext) {
  const running: RunningKeys = new Set();
  return async (
    merchant: Merchant,
    terms: PaymentTerms,
    request: { idempotencyKey: string | undefined; body: unknown },
  ): Promise<CreateAnswer> => {
    const { idempotencyKey: key, body } = request;
    if (key === undefined) return await createPayment(context, merchant, terms, undefined);
    const keyed = { merchantId: merchant.id, key, requestHash: hashRequest(body) };
    return await withRunningKey(running, keyed, () => createPayment(context, merchant, terms, keyed));
  };
}

async function createPayment(
  context: PaymentRouteContext,
  merchant: Merchant,
  terms: PaymentTerms,
  keyed: KeyedRequest | undefined,
): Promise<CreateAnswer> {
  const { precious, onDue, onEvent } = context;
  const given = terms.recipient === undefined ? undefined : await resolveRecipient(context, terms.recipient);
  const ground = await context.readChain((view) => readGround(view, given?.script));
  const answer = await precious
    .transaction<PaymentTables, CreateAnswer | 'exhausted'>(async (trx) => {
      const nowMs = context.now();
      const kept = keyed && (await findAnswer(trx, precious.engine, keyed, nowMs));
      if (kept !== undefined) return { paymentId: '', body: kept, isReplay: true };
      const chosen = given
        ? await takeGiven(trx, context, given)
        : await takeReady(trx, context, merchant.id);
      if (chosen === undefined) return 'exhausted';
      const payment = describePayment(merchant, terms, chosen, ground.tip, nowMs);
      const state = { payment, outputs: [], tip: ground.tip };
      await trx.insertInto('payment').values(payment).execute();
      await excludeEarlier(trx, payment.id, ground.earlier);
      await recordPaymentEvent(trx, context, 'payment.created', state, merchant.webhook_url, nowMs);
      if (!given) await lease(trx, context, merchant, payment, nowMs);
      const body = JSON.stringify(serialiseMerchantPayment(state satisfies PaymentState, context));
      if (keyed) await keepAnswer(trx, precious.engine, keyed, { status: 201, body }, nowMs);
      return { paymentId: payment.id, body, isReplay: false };
    })
    .catch((error: unknown) => {
      throw isBusyScript(error) ? recipientBusy() : error;
    });
  if (answer === 'exhausted') {
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

async function readGround(view: ChainView, script: Uint8Array | undefined): Promise<Ground> {
  const { tip } = view;
  if (tip === undefined) {
    throw new AppError('not_ready', 'No block is indexed yet. See /api/v1/health.', { 'retry-after': '5' });
  }
  const earlier = script === undefined ? [] : await listEarlierOutputs(view, script);
  return { tip: { height: tip.height, hash: toDisplayHash(tip.hash) }, earlier };
}

/** @throws AppError `address_in_pool`, `recipient_busy` */
async function takeGiven(
  trx: PaymentQuery,
  { precious: { engine } }: PaymentRouteContext,
  given: PayableAddress,
): Promise<Chosen> {
  await holdPools(trx, engine);
  await holdScript(trx, engine, given.scriptHash);
  if (await isInPool(trx, given.scriptHash)) {
    const detail = 'The address is in an address pool, which leases it; use another, or the pool.';
    throw new AppError('address_in_pool', detail);
  }
  if ((await findUnfinished(trx, given.scriptHash)) !== undefined) throw recipientBusy();
  await supersedePayments(trx, engine, given.scriptHash);
  return given;
}

/** The next address of the pool that is as fresh as when it was imported. */
async function takeReady(
  trx: PaymentQuery,
  { precious: { engine }, profile, readChain }: PaymentRouteContext,
  merchantId: string,
): Promise<Chosen | undefined> {
  for (let discarded = 0; discarded < MAX_DISCARDED; discarded++) {
    const ready = await findReadyAddress(trx, engine, merchantId);
    if (ready === undefined) return undefined;
    const parsed = parsePayableAddress(ready.address, profile);
    const isFresh = parsed.ok && (await readChain((view) => hasNoHistory(view, parsed.value.script)));
    if (isFresh) return { address: ready.address, scriptHash: ready.script_hash };
    await discardAddress(trx, ready.script_hash);
  }
  return undefined;
}

async function lease(
  trx: PaymentQuery,
  { precious: { engine } }: PaymentRouteContext,
  merchant: Merchant,
  payment: PaymentTable,
  nowMs: number,
): Promise<void> {
  await leaseAddress(trx, payment.script_hash, payment.id, nowMs);
  const threshold = merchant.pool_low_threshold;
  const ready = await countReadyAfterLease(trx, engine, merchant.id, threshold);
  if (ready === threshold - 1) await recordPoolEvent(trx, 'pool.low', merchant, ready, nowMs);
  if (ready === 0) await recordPoolEvent(trx, 'pool.exhausted', merchant, ready, nowMs);
}

async function excludeEarlier(
  trx: PaymentQuery,
  paymentId: string,
  earlier: readonly EarlierOutput[],
): Promise<void> {
  if (earlier.length === 0) return;
  await trx
    .insertInto('payment_output')
    .values(earlier.map((output) => ({ ...output, payment_id: paymentId })))
    // An outpoint that paid for something else stays that payment's.
    .onConflict((conflict) => conflict.columns(['txid', 'vout']).doNothing())
    .execute();
}

function describePayment(
  merchant: Merchant,
  terms: PaymentTerms,
  chosen: Chosen,
  tip: JudgedTip,
  nowMs: number,
): PaymentTable {
  return {
    id: createPaymentId(),
    merchant_id: merchant.id,
    status: 'open',
    reason: null,
    recipient: terms.recipient ?? null,
    address: chosen.address,
    script_hash: chosen.scriptHash,
    amount: String(terms.amount),
    description: terms.description,
    confirmations_required: terms.confirmationsRequired,
    webhook_url: terms.webhookUrl,
    created_at: nowMs,
    expires_at: nowMs + terms.expiresInMs,
    updated_at: nowMs,
    created_height: tip.height,
    superseded: 0,
    seen: '0',
    mined: '0',
    deep: '0',
    late: '0',
    held: 0,
    settled: 0,
    final: 0,
    cancelled_at: null,
    accepted_at: null,
    sequence: 1,
    check_height: null,
    is_due: 1,
  };
}
