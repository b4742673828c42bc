import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTipHashResult = string;
export type GetEsploraTipHashError = CoinfrontError<ClientErrorCode>;

/**
 * Hash of the tip.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTipHashError}
 * @example
 * const text = await getEsploraTipHash(client);
 */
export function getEsploraTipHash(client: Client, options?: CallOptions): Promise<GetEsploraTipHashResult> {
  return client.request({ method: 'GET', path: '/esplora/blocks/tip/hash', answer: 'text' }, options);
}
