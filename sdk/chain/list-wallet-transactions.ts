import type { WalletParams, WalletTxList, WalletTxQuery } from '@coinfront/api/chain-wallets.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListWalletTransactionsParams = ParamsOf<typeof WalletParams, typeof WalletTxQuery>;
export type ListWalletTransactionsResult = Static<typeof WalletTxList>;
export type ListWalletTransactionsError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'cursor_expired' | 'wallet_key_invalid' | 'wallet_too_large'
>;

/**
 * History of a wallet, by its extended public key or an output descriptor.
 *
 * Newest first: what is in the mempool, then the chain. `delta` is what a transaction does to the whole wallet.
 *
 * @throws {ListWalletTransactionsError}
 * @example
 * const { items, next_cursor } = await listWalletTransactions(client, { key: 'zpub6r…' });
 */
export function listWalletTransactions(
  client: Client,
  params: ListWalletTransactionsParams,
  options?: CallOptions,
): Promise<ListWalletTransactionsResult> {
  return client.request({ method: 'GET', path: '/api/v1/xpub/{key}/txs', params }, options);
}
