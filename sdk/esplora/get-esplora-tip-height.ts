import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTipHeightResult = string;
export type GetEsploraTipHeightError = CoinfrontError<ClientErrorCode>;

/**
 * Height of the tip.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTipHeightError}
 * @example
 * const text = await getEsploraTipHeight(client);
 */
export function getEsploraTipHeight(
  client: Client,
  options?: CallOptions,
): Promise<GetEsploraTipHeightResult> {
  return client.request({ method: 'GET', path: '/esplora/blocks/tip/height', answer: 'text' }, options);
}
