import type { WalletBody, WalletSummary } from '@coinfront/api/chain-wallets.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ReadWalletParams = ParamsOf<typeof WalletBody>;
export type ReadWalletResult = Static<typeof WalletSummary>;
export type ReadWalletError = CoinfrontError<
  IndexReadErrorCode | BodyErrorCode | 'wallet_key_invalid' | 'wallet_too_large'
>;

/**
 * Balance and next addresses of a wallet, with its extended public key or output descriptor in the body.
 *
 * The same as `getWalletSummary`, but no proxy logs the key and no history of a browser has it. Whoever runs the service sees which
 * addresses belong together all the same.
 *
 * @throws {ReadWalletError}
 * @example
 * const { balance, chains } = await readWallet(client, { key: 'zpub6r…' });
 */
export function readWallet(
  client: Client,
  params: ReadWalletParams,
  options?: CallOptions,
): Promise<ReadWalletResult> {
  return client.request({ method: 'POST', path: '/api/v1/xpub', body: params, repeatable: true }, options);
}
