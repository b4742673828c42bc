import { measureBlockCost } from './payments/block-cost.ts';
import { measureCreates } from './payments/creates.ts';
import { startPaymentRig } from './payments/payment-rig.ts';
import { measureStatusReads } from './payments/status-reads.ts';
import { measureWebhookArrivals } from './payments/webhook-arrivals.ts';
import type { StorageMaker } from './storage.ts';
import type { Row } from './table.ts';

const MOST_CREATES = 5_000;
const MOST_BLOCKS = 60;

/** Measures payments on a small chain of its own, while `open` other payments are open. */
export async function measurePayments(storages: StorageMaker, open: number): Promise<Row[]> {
  const rig = await startPaymentRig(storages, open);
  try {
    const { rows, ids } = await measureCreates(rig, Math.min(MOST_CREATES, open));
    return [
      ...rows,
      await measureStatusReads(rig, ids),
      await measureWebhookArrivals(rig, Math.min(MOST_BLOCKS, open)),
      ...(await measureBlockCost(rig)),
    ];
  } finally {
    await rig.stop();
  }
}
