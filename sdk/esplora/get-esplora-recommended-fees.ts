import type { EsploraRecommendedFees } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraRecommendedFeesResult = Static<typeof EsploraRecommendedFees>;
export type GetEsploraRecommendedFeesError = CoinfrontError<ClientErrorCode>;

/**
 * Fee rates by how soon a transaction is wanted.
 *
 * As mempool.space answers it: whole base units for a virtual byte, none below the least that is relayed. Errors are plain
 * text, so their code is `http_error`.
 *
 * @throws {GetEsploraRecommendedFeesError}
 * @example
 * const { fastestFee } = await getEsploraRecommendedFees(client);
 */
export function getEsploraRecommendedFees(
  client: Client,
  options?: CallOptions,
): Promise<GetEsploraRecommendedFeesResult> {
  return client.request({ method: 'GET', path: '/esplora/v1/fees/recommended' }, options);
}
