/** How deliveries end, and how each try went. */

import type { Precious } from '../../../db/precious.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { type ClaimedDelivery, pending } from './delivery-store.ts';

/** How a try went. */
export type DeliveryAttempt = {
  atMs: number;
  durationMs: number;
  status: number | null;
  error: string | null;
};

/** Rows that one statement changes at most, so that no transaction is long. */
const BITE = 500;

/** What a try changes of its delivery. */
export type DeliveryChange =
  | { state: 'delivered' | 'dead' | 'disabled'; endedAtMs: number }
  | { state: 'pending'; nextAtMs: number };

/**
 * Writes how a try went and what became of its delivery. A try that somebody else has repeated meanwhile, because its
 * claim ran out, is written but decides nothing - unless it succeeded.
 */
export async function recordAttempt(
  precious: Precious,
  { id, attempts, merchant_id, url }: ClaimedDelivery,
  { atMs, durationMs, status, error }: DeliveryAttempt,
  change: DeliveryChange,
): Promise<void> {
  const last = { last_status: status, last_error: error };
  await precious.transaction<PaymentTables, void>(async (trx) => {
    await trx
      .insertInto('delivery_attempt')
      .values({ delivery_id: id, attempt: attempts, at: atMs, duration_ms: durationMs, status, error })
      .onConflict((conflict) => conflict.columns(['delivery_id', 'attempt']).doNothing())
      .execute();
    const update = trx
      .updateTable('delivery')
      .set(
        change.state === 'pending'
          ? { ...last, next_at: change.nextAtMs, is_taken: 0 }
          : { ...last, state: change.state, ended_at: change.endedAtMs, is_taken: 0 },
      )
      .where('id', '=', id);
    await (change.state === 'delivered'
      ? update.where('state', '!=', 'delivered')
      : update.where('state', '=', 'pending').where('attempts', '=', attempts)
    ).execute();
    if (change.state !== 'disabled') return;
    await trx
      .insertInto('disabled_receiver')
      .values({ merchant_id, url, disabled_at: change.endedAtMs })
      .onConflict((conflict) => conflict.columns(['merchant_id', 'url']).doNothing())
      .execute();
  });
}

/** Ends all that is pending for a receiver that was disabled. */
export async function disablePending(
  precious: Precious,
  { merchant_id, lane, url }: Pick<ClaimedDelivery, 'merchant_id' | 'lane' | 'url'>,
  nowMs: number,
): Promise<void> {
  const ofReceiver = () =>
    pending(precious.query())
      .where('lane', '=', lane)
      .where('merchant_id', '=', merchant_id)
      .where('url', '=', url);
  await disableAll(precious, ofReceiver, nowMs);
}

/** Ends all that is pending for an endpoint that was disabled or deleted. */
export async function disablePendingOf(precious: Precious, webhookId: string, nowMs: number): Promise<void> {
  await disableAll(precious, () => pending(precious.query()).where('webhook_id', '=', webhookId), nowMs);
}

async function disableAll(
  precious: Precious,
  select: () => ReturnType<typeof pending>,
  nowMs: number,
): Promise<void> {
  const disable = () =>
    precious.query<PaymentTables>().updateTable('delivery').set({ state: 'disabled', ended_at: nowMs });
  for (;;) {
    const some = select().select('id').limit(BITE);
    const { numUpdatedRows } = await disable()
      .where('id', 'in', precious.engine === 'postgres' ? some.forUpdate().skipLocked() : some)
      .executeTakeFirst();
    if (numUpdatedRows < BITE) break;
  }
  // What was locked is being written by whoever tried it, and may stay pending. One row at a time, so that no two wait for each other.
  for (const { id } of await select().select('id').limit(BITE).execute())
    await disable().where('id', '=', id).where('state', '=', 'pending').execute();
}

/** Ends a delivery that was taken, and not tried: its endpoint gets nothing any more. */
export async function disableUntried(
  precious: Precious,
  { id, attempts }: ClaimedDelivery,
  nowMs: number,
): Promise<void> {
  await precious
    .query<PaymentTables>()
    .updateTable('delivery')
    .set({ state: 'disabled', ended_at: nowMs, attempts: attempts - 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'pending')
    .execute();
}
