import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetFeesResult = FeeReportJson;
export type GetFeesError = CoinfrontError<IndexReadErrorCode>;

/**
 * Fee information.
 *
 * Estimates by target, each with where it comes from, the least that the node relays, and what the mempool pays. The
 * node is asked every 10 seconds in the background.
 *
 * @throws {GetFeesError}
 * @example
 * const fees = await getFees(client);
 */
export function getFees(client: Client, options?: CallOptions): Promise<GetFeesResult> {
  return client.request({ method: 'GET', path: '/api/v1/fee' }, options);
}
