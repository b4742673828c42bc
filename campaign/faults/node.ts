import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../plan/faults.ts';
import { signal } from '../rig/processes.ts';
import type { Rig } from '../rig/rig.ts';

/**
 * Kills or freezes the node. A killed one comes back with the blocks that it had written, so behind the index as a rule, and gets the
 * others from its peer; its mempool is what its wallet has.
 */
export async function strikeNode({ node, pair, withChain }: Rig, { kind, holdMs }: Fault): Promise<void> {
  if (kind === 'node-frozen') {
    const pid = node.pid();
    signal(pid, 'SIGSTOP');
    await delay(holdMs);
    signal(pid, 'SIGCONT');
    return;
  }
  await withChain(async () => {
    await node.kill();
    await delay(holdMs);
    await node.start();
    // The service follows it from the moment it answers: first without, then with the blocks of the peer.
    await pair.join();
  });
}
