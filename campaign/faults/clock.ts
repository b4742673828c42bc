import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../plan/faults.ts';
import type { Rig } from '../rig/rig.ts';

/** Moves the service's clock at one blow, and back again. */
export async function strikeClock({ clock }: Rig, { shiftSeconds, holdMs }: Fault): Promise<void> {
  clock?.move(shiftSeconds);
  await delay(holdMs);
  clock?.move(0);
}
