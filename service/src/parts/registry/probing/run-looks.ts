/** The looks of one slot, in the order of their times: a few at once at most, and never two into one network. */

import { waitAtMost } from '../../../pause.ts';
import type { Look } from './look-at-node.ts';
import { isFuture, lastLookAt, planFirstLook, planRetry, type Slot } from './slot-rules.ts';

/** Who is looked at. */
export type LookedAt = { nodeKey: string; network: string };

export type LooksOptions<Node extends LookedAt> = {
  nodes: readonly Node[];
  slot: Slot;
  /** Connections that may be open at once. */
  connections: number;
  look: (node: Node, signal: AbortSignal) => Promise<Look>;
  /** Uniform from 0 (included) to 1, and not to be foreseen. */
  random: () => number;
  now: () => number;
};

type Job<Node> = { node: Node; atMs: number };

/** Tries of a node in one slot. */
const TRIES = 2;

/**
 * Looks at each node, and again at each that failed. Nodes for which no time was left have no looks.
 *
 * @returns by node key; when `signal` is aborted, or the clock is set back, what was seen until then
 */
export async function runLooks<Node extends LookedAt>(
  options: LooksOptions<Node>,
  signal: AbortSignal,
): Promise<Map<string, Look[]>> {
  const { nodes, slot, connections, random, now } = options;
  const looks = new Map<string, Look[]>(nodes.map(({ nodeKey }) => [nodeKey, []]));
  const jobs: Job<Node>[] = nodes.map((node) => ({ node, atMs: planFirstLook(slot, now(), random()) }));
  const busy = new Set<string>();
  let running = 0;
  let changed = Promise.withResolvers<void>();

  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const run = async ({ node }: Job<Node>): Promise<void> => {
    const look = await options.look(node, signal);
    const seen = looks.get(node.nodeKey)!;
    seen.push(look);
    // A look that was void says nothing yet, as one that failed does not: both are tried again.
    if (look.attempt.result === 'pass' || seen.length >= TRIES) return;
    const atMs = planRetry(slot, now(), random());
    if (atMs !== undefined) jobs.push({ node, atMs });
  };

  // The signal outlives the slot: nothing may stay behind on it.
  signal.addEventListener('abort', notify);
  while (!signal.aborted && (jobs.length > 0 || running > 0) && !isFuture(slot, now())) {
    const next = running < connections ? findNext(jobs, busy) : undefined;
    if (next === undefined) {
      await changed.promise;
      continue;
    }
    if (next.atMs > now()) {
      // No longer than the slot, whatever becomes of the clock.
      await waitAtMost(changed.promise, Math.min(next.atMs - now(), slot.endMs - slot.startMs));
      continue;
    }
    jobs.splice(jobs.indexOf(next), 1);
    if (now() > lastLookAt(slot)) continue;
    running += 1;
    busy.add(next.node.network);
    void run(next)
      // A look that breaks is none: its node is not judged by it.
      .catch(() => {})
      .finally(() => {
        running -= 1;
        busy.delete(next.node.network);
        notify();
      });
  }
  signal.removeEventListener('abort', notify);
  return looks;
}

function findNext<Node extends LookedAt>(
  jobs: readonly Job<Node>[],
  busy: ReadonlySet<string>,
): Job<Node> | undefined {
  let next: Job<Node> | undefined;
  for (const job of jobs) {
    if (!busy.has(job.node.network) && (next === undefined || job.atMs < next.atMs)) next = job;
  }
  return next;
}
