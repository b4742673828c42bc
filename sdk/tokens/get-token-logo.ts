import type { LogoQuery, TokenIdParams } from '@coinfront/api/token-metadata.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ReadErrorCode } from '../client/error-codes.ts';

export type GetTokenLogoParams = ParamsOf<typeof TokenIdParams, typeof LogoQuery>;
export type GetTokenLogoResult = Uint8Array<ArrayBuffer>;
export type GetTokenLogoError = CoinfrontError<ReadErrorCode | 'token_not_found' | 'logo_not_found'>;

/**
 * Logo of a token.
 *
 * A PNG that this service made from the pixels of what the issuer submitted, once a person has approved it. With the
 * hash that the metadata give it can be kept for a year.
 *
 * @throws {GetTokenLogoError}
 * @example
 * const bytes = await getTokenLogo(client, { token_id: '9b088a0d…' });
 */
export function getTokenLogo(
  client: Client,
  params: GetTokenLogoParams,
  options?: CallOptions,
): Promise<GetTokenLogoResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/tokens/{token_id}/logo', params, answer: 'bytes' },
    options,
  );
}
