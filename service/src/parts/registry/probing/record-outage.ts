import { appendReceipts, type LogMoment, type ReceiptDraft } from '../log/receipt-log.ts';
import { lockRegistry } from '../registry-context.ts';
import { hasMissedSlots, recordMissedSlots } from '../rewards/verdict-store.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { saveSlotEnd } from './prober-store.ts';
import type { RecordOptions } from './record-slot.ts';
import type { Slot } from './slot-rules.ts';

/**
 * Says that slots passed in which nobody looked: one receipt, for all nodes that were registered.
 *
 * @throws LeaseLostError when another process has taken over
 */
export async function recordOutage(
  { precious, holder, log, slotMs }: RecordOptions,
  span: Slot,
  moment: LogMoment,
): Promise<void> {
  await precious.transaction<RegistryTables, void>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    await saveSlotEnd(trx, holder, span.endMs);
    const missed = { ...span, slotMs };
    if (!(await hasMissedSlots(trx, missed))) return;
    const draft: ReceiptDraft = {
      kind: 'outage',
      node_key: null,
      endpoint: null,
      payout_address: null,
      slots: {
        from: new Date(span.startMs).toISOString(),
        to: new Date(span.endMs).toISOString(),
        count: Math.max(1, Math.round((span.endMs - span.startMs) / slotMs)),
      },
      verdict: 'void',
      reason: 'registry_down',
      attempts: [],
      observed: null,
    };
    const [receipt] = await appendReceipts(trx, log, moment, [draft]);
    await recordMissedSlots(trx, missed, receipt!);
  });
}
