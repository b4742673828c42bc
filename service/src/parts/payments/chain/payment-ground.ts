/** What the chain says before a payment is made: its tip, and what the address has had, which is never the payment's. */

import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../../chain/chain-view.ts';
import { readInStep } from '../../../chain/read-in-step.ts';
import { AppError } from '../../../errors.ts';
import { isClosed } from '../judging/payment-rules.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import type { Superseded } from '../requests/payment-store.ts';
import type { JudgedTip } from '../requests/serialise-payment.ts';
import type { PaymentOutputTable } from '../schema/payment-tables.ts';
import { type EarlierOutput, listEarlierOutputs } from './list-earlier-outputs.ts';

export type Ground = { tip: JudgedTip; earlier: readonly EarlierOutput[] };

/**
 * For an address that was given the index has to be in step with its node: what that address was paid in blocks that are
 * not indexed yet would be taken for what comes after the payment.
 *
 * @throws AppError `not_ready`, `recipient_too_active`
 */
export async function readGround(
  { readChain, now }: PaymentRouteContext,
  script: Uint8Array | undefined,
): Promise<Ground> {
  const read = async (view: ChainView): Promise<Ground> => {
    const { tip } = view;
    if (tip === undefined) throw notReady('No block is indexed yet. See /api/v1/health.');
    const earlier = script === undefined ? [] : await listEarlierOutputs(view, script);
    return { tip: { height: tip.height, hash: toDisplayHash(tip.hash) }, earlier };
  };
  if (script === undefined) return await readChain(read);
  const found = await readInStep({ readChain, now }, read);
  if (found !== undefined) return found.value;
  throw notReady(
    'The index is behind the node, so that it cannot be said what the address had received before. Use an address of ' +
      'the pool, or try again.',
  );
}

function notReady(detail: string): AppError {
  return new AppError('not_ready', detail, { 'retry-after': '5' });
}

/**
 * Stores what an address had before a payment. What came for the payment that had the address until now is that one's,
 * also when nobody has recorded it yet; everything else is excluded from the new one.
 */
export async function keepEarlier(
  trx: PaymentQuery,
  paymentId: string,
  earlier: readonly EarlierOutput[],
  previous: Superseded | undefined,
): Promise<void> {
  if (earlier.length === 0) return;
  const stored = await trx
    .insertInto('payment_output')
    .values(earlier.map((output) => attribute(output, paymentId, previous)))
    // An outpoint that paid for something else stays that payment's.
    .onConflict((conflict) => conflict.columns(['txid', 'vout']).doNothing())
    .returning('payment_id')
    .execute();
  if (previous === undefined || stored.every(({ payment_id }) => payment_id !== previous.id)) return;
  await trx.updateTable('payment').set({ is_due: 1 }).where('id', '=', previous.id).execute();
}

function attribute(
  output: EarlierOutput,
  paymentId: string,
  previous: Superseded | undefined,
): PaymentOutputTable {
  const isPrevious =
    previous !== undefined && (output.height === null || output.height > previous.created_height);
  if (!isPrevious) return { ...output, payment_id: paymentId };
  return {
    ...output,
    payment_id: previous.id,
    excluded: 0,
    late: isClosed(previous) ? 1 : 0,
    // Where it is now says the job that follows the chain, which looks for it at once: this view may be an older one.
    height: null,
    block_hash: null,
    block_time: null,
  };
}
