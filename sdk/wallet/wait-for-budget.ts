import { isCoinfrontError } from '../client/error.ts';

/** Attempts of one call, and the longest wait between two of them: services count by the minute. */
const MAX_ATTEMPTS = 4;
const MAX_WAIT_MS = 65_000;

/**
 * Makes a call again after the time that a service asks for when too much was asked of it. A scan reads hundreds of
 * addresses, more than a service gives one client in a minute. What was refused so was not looked at: a broadcast, too,
 * can be sent again.
 *
 * @throws what the call throws, or the signal's reason
 * @example
 * const report = await waitForBudget(() => getAddress(client, { address }));
 */
export async function waitForBudget<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isCoinfrontError(error, 'rate_limited') || attempt === MAX_ATTEMPTS) throw error;
      await pause(Math.min((error.retryAfterSeconds ?? 10) * 1_000, MAX_WAIT_MS), signal);
    }
  }
}

/** @throws the signal's reason */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
