import type { TxParams, TxRaw } from '@coinfront/api/chain-transactions.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetRawTransactionParams = ParamsOf<typeof TxParams>;
export type GetRawTransactionResult = Static<typeof TxRaw>;
export type GetRawTransactionError = CoinfrontError<IndexReadErrorCode | 'transaction_not_found'>;

/**
 * A transaction, serialised.
 *
 * The bytes with witness, as they are relayed. With 100 confirmations they may be kept for ever.
 *
 * @throws {GetRawTransactionError}
 * @example
 * const rawTransaction = await getRawTransaction(client, { txid: 'f4184fc5…' });
 */
export function getRawTransaction(
  client: Client,
  params: GetRawTransactionParams,
  options?: CallOptions,
): Promise<GetRawTransactionResult> {
  return client.request({ method: 'GET', path: '/api/v1/tx/{txid}/raw', params }, options);
}
