import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../plan/faults.ts';
import { signal } from '../rig/processes.ts';
import type { Rig } from '../rig/rig.ts';

/** Kills the service as `kill -9` does, or stops its process for a while as a machine that swaps or is moved does. */
export async function strikeService({ supervised }: Rig, { kind, holdMs }: Fault): Promise<void> {
  if (kind === 'service-killed') return await supervised.kill(holdMs);
  const pid = supervised.service.pid();
  signal(pid, 'SIGSTOP');
  await delay(holdMs);
  signal(pid, 'SIGCONT');
}
