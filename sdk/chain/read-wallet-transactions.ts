import type { WalletTxBody, WalletTxList } from '@coinfront/api/chain-wallets.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ReadWalletTransactionsParams = ParamsOf<typeof WalletTxBody>;
export type ReadWalletTransactionsResult = Static<typeof WalletTxList>;
export type ReadWalletTransactionsError = CoinfrontError<
  | IndexReadErrorCode
  | BodyErrorCode
  | CursorErrorCode
  | 'cursor_expired'
  | 'wallet_key_invalid'
  | 'wallet_too_large'
>;

/**
 * History of a wallet, with its extended public key or output descriptor in the body.
 *
 * The same as `listWalletTransactions`, but no proxy logs the key and no history of a browser has it.
 *
 * @throws {ReadWalletTransactionsError}
 * @example
 * const { items, next_cursor } = await readWalletTransactions(client, { key: 'zpub6r…' });
 */
export function readWalletTransactions(
  client: Client,
  params: ReadWalletTransactionsParams,
  options?: CallOptions,
): Promise<ReadWalletTransactionsResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/xpub/txs', body: params, repeatable: true },
    options,
  );
}
