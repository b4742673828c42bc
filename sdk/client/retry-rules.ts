import { type CoinfrontError, isCoinfrontError } from './error.ts';

const firstWaitMs = 250;
const passingStatuses: readonly (number | undefined)[] = [429, 502, 503, 504];

/**
 * How long to wait before a read is tried again, milliseconds; undefined when the error would only come again.
 *
 * @param attempt how many have failed, from 1
 * @param random in [0, 1): clients that failed together must not come back together
 */
export function findRetryDelay(error: unknown, attempt: number, random: number): number | undefined {
  if (!isCoinfrontError(error) || !mayPass(error)) return undefined;
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1000;
  return firstWaitMs * 2 ** (attempt - 1) * (1 + random);
}

function mayPass({ code, status }: CoinfrontError): boolean {
  return code === 'network_error' || passingStatuses.includes(status);
}
