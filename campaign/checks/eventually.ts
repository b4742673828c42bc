import { setTimeout as delay } from 'node:timers/promises';

/** Looks for problems; none when all is well. */
export type Check = () => Promise<string[]>;

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 300;

/**
 * Looks again until there is no problem: what follows the chain is behind it for a moment.
 *
 * @returns the problems that are still there at the end; an error of the check is one
 */
export async function eventually(check: Check, timeoutMs: number): Promise<string[]> {
  const started = performance.now();
  for (;;) {
    const problems = await check().catch((error: Error) => [describe(error)]);
    const waitedMs = performance.now() - started;
    if (problems.length === 0 || waitedMs > timeoutMs) return problems;
    await delay(Math.min(Math.max(waitedMs / 10, FIRST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

function describe(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
