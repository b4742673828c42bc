import type { TxParams } from '@coinfront/api/chain-transactions.ts';
import type { TxMempoolJson } from '@coinfront/api/chain-tx-mempool.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTransactionInMempoolParams = ParamsOf<typeof TxParams>;
export type GetTransactionInMempoolResult = TxMempoolJson;
export type GetTransactionInMempoolError = CoinfrontError<IndexReadErrorCode | 'transaction_not_found'>;

/**
 * The place of a transaction in the mempool, and replacements.
 *
 * How much waits in front of it, what it hangs on and what hangs on it, what it replaced, and for one that was replaced by what.
 *
 * @throws {GetTransactionInMempoolError}
 * @example
 * const { state, place, replaced_by } = await getTransactionInMempool(client, { txid: 'f4184fc5…' });
 */
export function getTransactionInMempool(
  client: Client,
  params: GetTransactionInMempoolParams,
  options?: CallOptions,
): Promise<GetTransactionInMempoolResult> {
  return client.request({ method: 'GET', path: '/api/v1/tx/{txid}/mempool', params }, options);
}
