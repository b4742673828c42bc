import type { EsploraFees } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraFeeEstimatesResult = Static<typeof EsploraFees>;
export type GetEsploraFeeEstimatesError = CoinfrontError<ClientErrorCode>;

/**
 * Fee rates by target.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraFeeEstimatesError}
 * @example
 * const answer = await getEsploraFeeEstimates(client);
 */
export function getEsploraFeeEstimates(
  client: Client,
  options?: CallOptions,
): Promise<GetEsploraFeeEstimatesResult> {
  return client.request({ method: 'GET', path: '/esplora/fee-estimates' }, options);
}
