import type { EsploraValidAddress, ValidateParams } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type ValidateEsploraAddressParams = ParamsOf<typeof ValidateParams>;
export type ValidateEsploraAddressResult = Static<typeof EsploraValidAddress>;
export type ValidateEsploraAddressError = CoinfrontError<ClientErrorCode>;

/**
 * Whether a text is an address of this coin, and what is in it.
 *
 * As mempool.space answers it. Errors are plain text, so their code is `http_error`.
 *
 * @throws {ValidateEsploraAddressError}
 * @example
 * const { isvalid } = await validateEsploraAddress(client, { address: 'ltc1q…' });
 */
export function validateEsploraAddress(
  client: Client,
  params: ValidateEsploraAddressParams,
  options?: CallOptions,
): Promise<ValidateEsploraAddressResult> {
  return client.request({ method: 'GET', path: '/esplora/v1/validate-address/{address}', params }, options);
}
