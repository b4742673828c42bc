/** A test event: whether an endpoint can be reached, and reads what it gets. */

import { type TestEventJson, testEventType } from '@coinfront/api/webhooks.ts';
import { holdMerchant } from '../merchants/merchant-store.ts';
import type { PaymentContext } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { writeTime } from '../write-time.ts';
import { findEndpoint } from './endpoint-store.ts';
import { describeDelivery, insertDeliveries } from './event-deliveries.ts';
import { countEventOfMerchant, insertEventRows } from './record-event.ts';
import { forgetGone } from './redeliver.ts';
import { webhookDisabled, webhookNotFound } from './webhook-refusals.ts';

/**
 * Tells an endpoint alone an event that nothing has caused, whatever types it wants. A receiver that answered 410 gets events
 * again from then on.
 *
 * @returns the identifier of its delivery
 * @throws AppError `webhook_not_found`, `webhook_disabled`
 */
export async function sendTest(
  { precious, now, onEvent }: Pick<PaymentContext, 'precious' | 'now' | 'onEvent'>,
  merchantId: string,
  webhookId: string,
): Promise<string> {
  const deliveryId = await precious.transaction<PaymentTables, string>(async (trx) => {
    await holdMerchant(trx, merchantId);
    const endpoint = await findEndpoint(trx, merchantId, webhookId);
    if (endpoint === undefined) throw webhookNotFound(webhookId);
    if (endpoint.enabled === 0) throw webhookDisabled();
    await forgetGone(trx, merchantId, endpoint.url);
    const nowMs = now();
    const sequence = await countEventOfMerchant(trx, merchantId);
    const id = createId('evt');
    const body: TestEventJson = {
      id,
      type: testEventType,
      created_at: writeTime(nowMs),
      sequence,
      data: { test: true, webhook_id: webhookId },
    };
    const event = {
      ...{ id, merchantId, paymentId: null, type: testEventType, sequence },
      ...{ body: JSON.stringify(body), url: null, nowMs },
    };
    await insertEventRows(trx, [event]);
    const [made] = await insertDeliveries(trx, [describeDelivery(event, endpoint)]);
    return made!;
  });
  onEvent();
  return deliveryId;
}
