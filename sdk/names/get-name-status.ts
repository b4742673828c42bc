import type { NameStatusView } from '@coinfront/api/names.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetNameStatusResult = Static<typeof NameStatusView>;
export type GetNameStatusError = CoinfrontError<IndexReadErrorCode>;

/**
 * Registry status.
 *
 * How far the registry is indexed, its totals and hashes, every number of its rules, and its prices. `replicas` are the
 * peers that the operator compares this service with.
 *
 * @throws {GetNameStatusError}
 * @example
 * const nameStatus = await getNameStatus(client);
 */
export function getNameStatus(client: Client, options?: CallOptions): Promise<GetNameStatusResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/status' }, options);
}
