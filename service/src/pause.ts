import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after a time, or as soon as the signal is aborted; never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(0, ms), undefined, { signal }).catch(() => {});
}

/** Waits for something to end, and no longer than the deadline. */
export async function waitAtMost(ending: Promise<unknown> | undefined, deadlineMs: number): Promise<void> {
  const deadline = new AbortController();
  await Promise.race([ending, pause(deadlineMs, deadline.signal)]);
  deadline.abort();
}
