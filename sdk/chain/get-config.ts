import type { NetworkConfigJson } from '@coinfront/api/chain-state.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetConfigResult = NetworkConfigJson;
export type GetConfigError = CoinfrontError<CallErrorCode>;

/**
 * Parameters of the network.
 *
 * What a wallet needs to know of the coin, and the limits of this service.
 *
 * @throws {GetConfigError}
 * @example
 * const config = await getConfig(client);
 */
export function getConfig(client: Client, options?: CallOptions): Promise<GetConfigResult> {
  return client.request({ method: 'GET', path: '/api/v1/config' }, options);
}
