import type { RegistryStatusJson } from '@coinfront/api/registry.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetRegistryStatusResult = RegistryStatusJson;
export type GetRegistryStatusError = CoinfrontError<CallErrorCode | 'index_unavailable'>;

/**
 * Validator status.
 *
 * The key and the rules of the registry, how many nodes it has, where its log ends, and how its prober is. What is not
 * known is null.
 *
 * @throws {GetRegistryStatusError}
 * @example
 * const { registry_key, last_receipt } = await getRegistryStatus(client);
 */
export function getRegistryStatus(client: Client, options?: CallOptions): Promise<GetRegistryStatusResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/status' }, options);
}
