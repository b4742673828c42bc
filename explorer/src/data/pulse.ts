/**
 * One question every few seconds for the whole page: has the chain or the mempool changed? It is conditional, so while
 * nothing has it costs an empty answer. What is shown is read again only then. Whether the service is well, which no
 * snapshot tells, is asked beside it. A hidden tab asks nothing.
 */

import type { HealthJson } from '@coinfront/api/chain-state.ts';
import { getHealth } from '@coinfront/sdk/chain/get-health.ts';
import { type GetStatsResult, getStats } from '@coinfront/sdk/chain/get-stats.ts';
import { client } from './client.ts';
import { beginPending } from './pending.ts';
import { createStore } from './store.ts';

const ASK_MS = 5_000;
const SLOWEST_MS = 60_000;

/** What the chain was at the last answer. */
export type Pulse = {
  /** Changes with the tip. */
  tip: string;
  /** Changes with the tip and with the mempool. */
  content: string;
  /** Grows with each answer: for what neither tells of. */
  beat: number;
  stats: GetStatsResult | undefined;
};

/** The latest answer. */
export const pulse = createStore<Pulse>({ tip: '', content: '', beat: 0, stats: undefined });
/** The service's own state; undefined before it was read. */
export const health = createStore<HealthJson | undefined>(undefined);
/** Since when no answer comes, Unix milliseconds; undefined while they do. */
export const lostSinceMs = createStore<number | undefined>(undefined);

let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let isAsking = false;

/** Begins; it goes on for as long as the page is there. */
export function startPulse(): void {
  const endPending = beginPending();
  void ask().then(endPending);
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (!document.hidden) void ask();
  });
  addEventListener('online', () => void ask());
}

async function ask(): Promise<void> {
  clearTimeout(timer);
  if (isAsking || document.hidden) return;
  isAsking = true;
  try {
    let tip = '';
    let etag: string | null = null;
    const stats = await getStats(client, {
      onAnswer: ({ snapshot, headers }) => {
        tip = snapshot?.tip ?? '';
        etag = headers.get('etag');
      },
    });
    failures = 0;
    lostSinceMs.set(undefined);
    const content = etag ?? JSON.stringify(stats);
    pulse.set({ tip, content, beat: pulse.get().beat + 1, stats });
  } catch {
    failures += 1;
    if (lostSinceMs.get() === undefined) lostSinceMs.set(Date.now());
  }
  await askHealth();
  isAsking = false;
  if (!document.hidden) timer = setTimeout(ask, Math.min(ASK_MS * 2 ** Math.min(failures, 4), SLOWEST_MS));
}

async function askHealth(): Promise<void> {
  try {
    health.set(await getHealth(client, {}));
  } catch {
    // What the figures say of the connection is said already.
  }
}
