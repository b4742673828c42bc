import type { WalletParams, WalletQuery, WalletSummary } from '@coinfront/api/chain-wallets.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetWalletSummaryParams = ParamsOf<typeof WalletParams, typeof WalletQuery>;
export type GetWalletSummaryResult = Static<typeof WalletSummary>;
export type GetWalletSummaryError = CoinfrontError<
  IndexReadErrorCode | 'wallet_key_invalid' | 'wallet_too_large'
>;

/**
 * Balance and next addresses of a wallet, by its extended public key or an output descriptor.
 *
 * Whoever runs the service sees which addresses belong together: a wallet of one's own that derives them itself, as
 * `scanWallet` does, tells less at once.
 *
 * @throws {GetWalletSummaryError}
 * @example
 * const { balance, chains } = await getWalletSummary(client, { key: 'zpub6r…' });
 */
export function getWalletSummary(
  client: Client,
  params: GetWalletSummaryParams,
  options?: CallOptions,
): Promise<GetWalletSummaryResult> {
  return client.request({ method: 'GET', path: '/api/v1/xpub/{key}', params }, options);
}
