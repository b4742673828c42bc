import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../plan/faults.ts';
import type { Rig } from '../rig/rig.ts';

/** Resets all connections to something, and each that is tried meanwhile; or keeps them open and lets nothing pass. */
export async function strikeLink({ links, inbox }: Rig, { kind, holdMs }: Fault): Promise<void> {
  if (kind === 'receiver-refuses') {
    inbox.refuse(true);
    await delay(holdMs);
    inbox.refuse(false);
    return;
  }
  const name = kind.slice(0, kind.indexOf('-')) as keyof Rig['links'];
  links[name]?.set({ state: kind.endsWith('stalled') ? 'held' : 'reset' });
  await delay(holdMs);
  links[name]?.set({});
}
