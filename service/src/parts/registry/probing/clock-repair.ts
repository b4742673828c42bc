/** What a clock that was ahead has dated into the future is brought back, or nobody would be looked at until then. */

import type { Precious } from '../../../db/precious.ts';
import { lockRegistry } from '../registry-context.ts';
import type { RegistryNodeTable, RegistryTables } from '../schema/registry-tables.ts';
import { saveSlotEnd } from './prober-store.ts';
import { lastPauseSlots, type Slot } from './slot-rules.ts';

/** Times of nodes that may be ahead, by how many slots at most. */
const dates = {
  verified_at: 1,
  first_passed_at: 1,
  last_passed_at: 1,
  judged_until: 1,
  next_look_at: lastPauseSlots + 1,
} as const satisfies Partial<Record<keyof RegistryNodeTable, number>>;

/**
 * Brings back whatever lies ahead of a slot by more than it can; a clock that is a little behind, or was set back by less
 * than a slot, just waits. Receipts stay as they are, with the times that were believed.
 *
 * @throws LeaseLostError when another process has taken over
 */
export async function takeBackFuture(
  { precious, holder }: { precious: Precious; holder: string },
  slot: Slot,
  doneMs: number | null,
): Promise<void> {
  const slotMs = slot.endMs - slot.startMs;
  await precious.transaction<RegistryTables, void>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    await saveSlotEnd(trx, holder, isAhead(doneMs, slot.endMs + slotMs) ? slot.startMs : undefined);
    for (const [column, slots] of Object.entries(dates) as [keyof typeof dates, number][]) {
      await trx
        .updateTable('registry_node')
        .set({ [column]: slot.startMs })
        .where(column, '>', slot.endMs + slots * slotMs)
        .execute();
    }
  });
}

function isAhead(timeMs: number | null, limitMs: number): boolean {
  return timeMs !== null && timeMs > limitMs;
}
