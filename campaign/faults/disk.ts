import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../plan/faults.ts';
import type { Rig } from '../rig/rig.ts';

/** Fills the file system that the database is on, while blocks come and have to be written; then frees it. */
export async function strikeDisk({ disk, node, withChain }: Rig, { holdMs }: Fault): Promise<void> {
  if (!disk) return;
  try {
    disk.fill();
    await withChain(() => node.mine(1)).catch(() => {});
    await delay(holdMs / 2);
    // What was freed meanwhile, as by a log that begins anew, is taken again.
    disk.fill();
    await delay(holdMs / 2);
  } finally {
    disk.free();
  }
}
