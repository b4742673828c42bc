import type { EsploraBlockJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlocksResult = EsploraBlockJson[];
export type GetEsploraBlocksError = CoinfrontError<ClientErrorCode>;

/**
 * The ten newest blocks.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlocksError}
 * @example
 * const answer = await getEsploraBlocks(client);
 */
export function getEsploraBlocks(client: Client, options?: CallOptions): Promise<GetEsploraBlocksResult> {
  return client.request({ method: 'GET', path: '/esplora/blocks' }, options);
}
