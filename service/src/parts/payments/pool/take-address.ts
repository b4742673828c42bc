/** Where the address of a new payment comes from: the merchant names it, or its pool has one. */

import { AppError } from '../../../errors.ts';
import { hasNoHistory } from '../chain/list-earlier-outputs.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import { findUnfinished, holdScript, type Superseded, supersedePayment } from '../requests/payment-store.ts';
import { recipientBusy } from '../requests/refuse-payment.ts';
import { recordPoolEvent } from '../webhooks/record-event.ts';
import { type PayableAddress, parsePayableAddress } from './parse-recipient.ts';
import {
  countReadyAfterTaking,
  discardAddress,
  findReadyAddress,
  holdPools,
  isInPool,
} from './pool-store.ts';

export type Chosen = Pick<PayableAddress, 'address' | 'scriptHash'>;

/** What was taken; `chosen` is undefined when the pool has no fresh address. */
export type Taken = {
  chosen: Chosen | undefined;
  /** Addresses of the pool that were passed over for good. */
  discarded: number;
  /** The payment that new money to the address belonged to. */
  previous: Superseded | undefined;
};

/** Used addresses of a pool that one request passes over at most. */
const MAX_DISCARDED = 100;

/**
 * The address that was given, with the merchant's payment that has had it until now.
 *
 * @throws AppError `address_in_pool`, `recipient_busy`
 */
export async function takeGiven(
  trx: PaymentQuery,
  { precious: { engine } }: PaymentRouteContext,
  merchantId: string,
  given: PayableAddress,
): Promise<Taken & { chosen: Chosen }> {
  await holdPools(trx, engine);
  await holdScript(trx, engine, merchantId, given.scriptHash);
  if (await isInPool(trx, merchantId, given.scriptHash)) {
    const detail = 'The address is in your address pool, which leases it; use another, or the pool.';
    throw new AppError('address_in_pool', detail);
  }
  if ((await findUnfinished(trx, merchantId, given.scriptHash)) !== undefined) throw recipientBusy();
  const previous = await supersedePayment(trx, merchantId, given.scriptHash);
  return { chosen: given, discarded: 0, previous };
}

/** The next address of the pool that is as fresh as when it was imported. */
export async function takeReady(
  trx: PaymentQuery,
  { precious: { engine }, profile, readChain }: PaymentRouteContext,
  merchantId: string,
): Promise<Taken> {
  const previous = undefined;
  let discarded = 0;
  for (; discarded < MAX_DISCARDED; discarded++) {
    const ready = await findReadyAddress(trx, engine, merchantId);
    if (ready === undefined) break;
    const parsed = parsePayableAddress(ready.address, profile);
    const isFresh = parsed.ok && (await readChain((view) => hasNoHistory(view, parsed.value.script)));
    if (isFresh)
      return { chosen: { address: ready.address, scriptHash: ready.script_hash }, discarded, previous };
    await discardAddress(trx, ready.script_hash);
  }
  return { chosen: undefined, discarded, previous };
}

/** Tells when the pool became low, or empty, by the addresses that a request took out of it. */
export async function tellPool(
  trx: PaymentQuery,
  { precious: { engine } }: PaymentRouteContext,
  merchant: Merchant,
  taken: number,
  nowMs: number,
): Promise<void> {
  if (taken === 0) return;
  const threshold = merchant.pool_low_threshold;
  const ready = await countReadyAfterTaking(trx, engine, merchant.id, threshold);
  if (ready < threshold && ready + taken >= threshold)
    await recordPoolEvent(trx, 'pool.low', merchant, ready, nowMs);
  if (ready === 0) await recordPoolEvent(trx, 'pool.exhausted', merchant, ready, nowMs);
}
