import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../plan/faults.ts';
import { listChildren, signal } from '../rig/processes.ts';
import type { Rig } from '../rig/rig.ts';

/**
 * Kills all of PostgreSQL, or one of its processes, after which it ends all sessions and recovers by itself; or freezes all of it.
 */
export async function strikeDatabase({ postgres }: Rig, { kind, holdMs, atMs }: Fault): Promise<void> {
  const first = postgres?.pid();
  if (!postgres || first === undefined) return;
  const children = listChildren(first);
  if (kind === 'session-killed') {
    signal(children[atMs % children.length], 'SIGKILL');
    return;
  }
  const all = [first, ...children];
  if (kind === 'database-frozen') {
    for (const pid of all) signal(pid, 'SIGSTOP');
    await delay(holdMs);
    for (const pid of all) signal(pid, 'SIGCONT');
    return;
  }
  for (const pid of all) signal(pid, 'SIGKILL');
  await delay(holdMs);
}
