import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraAddressPrefixParams = { prefix: string };
export type GetEsploraAddressPrefixResult = string[];
export type GetEsploraAddressPrefixError = CoinfrontError<ClientErrorCode>;

/**
 * The address that was asked for as a whole, where it was ever used.
 *
 * Addresses are not searched by how they begin: a part of one is an error. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraAddressPrefixError}
 * @example
 * const answer = await getEsploraAddressPrefix(client, { prefix: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' });
 */
export function getEsploraAddressPrefix(
  client: Client,
  params: GetEsploraAddressPrefixParams,
  options?: CallOptions,
): Promise<GetEsploraAddressPrefixResult> {
  return client.request({ method: 'GET', path: '/esplora/address-prefix/{prefix}', params }, options);
}
