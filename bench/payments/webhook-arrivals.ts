import { setTimeout as delay } from 'node:timers/promises';
import { brief, quantile, type Row } from '../table.ts';
import { AMOUNT } from './open-payments.ts';
import type { PaymentRig } from './payment-rig.ts';

const EVENT_TIMEOUT_MS = 30_000;
const LONGEST_PAUSE_MS = 300;

/** Milliseconds from the node's acceptance of a block to the arrival of `payment.paid` for a payment in it. */
export async function measureWebhookArrivals(rig: PaymentRig, blocks: number): Promise<Row> {
  const delaysMs: number[] = [];
  for (let block = 0; block < blocks; block += 1) {
    const payment = await rig.createPayment({
      recipient: await rig.node('getnewaddress', '', 'bech32'),
      amount: AMOUNT,
      confirmations_required: 1,
      webhook_url: rig.receiver.url,
    });
    await rig.node('sendtoaddress', payment.address, AMOUNT);
    await rig.receiver.waitFor('payment.detected', payment.id, EVENT_TIMEOUT_MS);
    // Whatever looks at intervals is met at any point of its interval.
    await delay(rig.random.below(LONGEST_PAUSE_MS));
    const { acceptedAtMs } = await rig.mineBlock();
    const arrivedAtMs = await rig.receiver.waitFor('payment.paid', payment.id, EVENT_TIMEOUT_MS);
    delaysMs.push(Math.max(0, arrivedAtMs - acceptedAtMs));
  }
  return {
    measure: 'payments: block accepted to webhook arrived',
    ratio: '-',
    bound: 'p99 < 500 ms',
    figures: `p50 ${brief(quantile(delaysMs, 0.5))} ms, p99 ${brief(quantile(delaysMs, 0.99))} ms, of ${delaysMs.length}`,
    how: `from the node's long poll returning to payment.paid at a receiver in this process, ${rig.open.length} other payments open`,
  };
}
