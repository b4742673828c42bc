/** Delivering again what was given up, refused or lost by its receiver. */

import { shownAttempts } from '@coinfront/api/webhooks.ts';
import { AppError } from '../../../errors.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { findEnabledByIds } from './endpoint-store.ts';
import { webhookDisabled } from './webhook-refusals.ts';

/**
 * Makes a delivery pending, due at once and with a schedule of its own, and lets its receiver have events again.
 *
 * @throws AppError `delivery_not_found`, `delivery_pending`, `webhook_disabled`
 */
export async function redeliver(
  { precious, now, onEvent }: Pick<PaymentContext, 'precious' | 'now' | 'onEvent'>,
  merchantId: string,
  id: string,
): Promise<void> {
  await precious.transaction<PaymentTables, void>(async (trx) => {
    const nowMs = now();
    // Changed before it is read: of two requests at once, the second waits and finds it pending.
    const changed = await trx
      .updateTable('delivery')
      .set((row) => ({
        state: 'pending',
        next_at: nowMs,
        ended_at: null,
        attempts_before: row.ref('attempts'),
      }))
      .where('id', '=', id)
      .where('merchant_id', '=', merchantId)
      .where('state', '!=', 'pending')
      .returning(['url', 'attempts', 'webhook_id'])
      .executeTakeFirst();
    if (changed === undefined) {
      const known = await trx
        .selectFrom('delivery')
        .select('id')
        .where('id', '=', id)
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst();
      if (known === undefined) throw deliveryNotFound(id);
      throw new AppError(
        'delivery_pending',
        'It is tried anyway; next_attempt_at says when. Ask again once it has ended.',
      );
    }
    const { webhook_id: webhookId } = changed;
    if (webhookId !== null && !(await findEnabledByIds(trx, [webhookId])).has(webhookId)) {
      throw webhookDisabled();
    }
    await forgetGone(trx, merchantId, changed.url);
    // However often somebody asks, a delivery keeps no more tries than it shows.
    await trx
      .deleteFrom('delivery_attempt')
      .where('delivery_id', '=', id)
      .where('attempt', '<=', changed.attempts - shownAttempts)
      .execute();
  });
  onEvent();
}

/** Lets a receiver that answered 410 have events again. */
export async function forgetGone(trx: PaymentQuery, merchantId: string, url: string): Promise<void> {
  await trx
    .deleteFrom('disabled_receiver')
    .where('merchant_id', '=', merchantId)
    .where('url', '=', url)
    .execute();
}

/** Nobody has this delivery, or another merchant has it. */
export function deliveryNotFound(id: string): AppError {
  return new AppError('delivery_not_found', `There is no delivery ${id}.`);
}
