import type { TxDetailJson, TxParams, TxQuery } from '@coinfront/api/chain-transactions.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTransactionParams = ParamsOf<typeof TxParams, typeof TxQuery>;
export type GetTransactionResult = TxDetailJson;
export type GetTransactionError = CoinfrontError<IndexReadErrorCode | 'transaction_not_found'>;

/**
 * A transaction.
 *
 * From the best chain or the mempool, with what it spends and what spends it. 500 inputs and 500 outputs are shown at
 * once; `next_input` and `next_output` say where to go on, and nothing is left out silently. Of 5,000 witness items a page
 * ends early; an input with more has `witness_count`, and `first_witness` reads on.
 *
 * @throws {GetTransactionError}
 * @example
 * const transaction = await getTransaction(client, { txid: 'f4184fc5…' });
 */
export function getTransaction(
  client: Client,
  params: GetTransactionParams,
  options?: CallOptions,
): Promise<GetTransactionResult> {
  return client.request({ method: 'GET', path: '/api/v1/tx/{txid}', params }, options);
}
