import type { BroadcastBody, BroadcastResultView } from '@coinfront/api/chain-transactions.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type BroadcastParams = ParamsOf<typeof BroadcastBody>;
export type BroadcastResult = Static<typeof BroadcastResultView>;
export type BroadcastError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'transaction_undecodable'
  | 'mempool_conflict'
  | 'replacement_fee_too_low'
  | 'missing_inputs'
  | 'fee_too_low'
  | 'fee_too_high'
  | 'burn_too_large'
  | 'mempool_chain_too_long'
  | 'output_dust'
  | 'transaction_too_large'
  | 'transaction_nonstandard'
  | 'not_final'
  | 'coinbase_immature'
  | 'script_verification_failed'
  | 'transaction_invalid'
  | 'broadcast_rejected'
  | 'mempool_full'
  | 'node_unavailable'
>;

/**
 * Submit a signed transaction.
 *
 * Only a signed raw transaction in hex, never a key: sign where the key is. A transaction that is known already
 * answers with its txid as well, so sending it again is safe. Each refusal of the node has a code of its own, and its
 * detail ends with the node's reason.
 *
 * @throws {BroadcastError}
 * @example
 * const answer = await broadcast(client, { raw_tx: '01000000…' });
 */
export function broadcast(
  client: Client,
  params: BroadcastParams,
  options?: CallOptions,
): Promise<BroadcastResult> {
  return client.request({ method: 'POST', path: '/api/v1/broadcast', body: params }, options);
}
