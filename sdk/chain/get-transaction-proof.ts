import type { TxParams, TxProofJson } from '@coinfront/api/chain-transactions.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTransactionProofParams = ParamsOf<typeof TxParams>;
export type GetTransactionProofResult = TxProofJson;
export type GetTransactionProofError = CoinfrontError<
  IndexReadErrorCode | 'transaction_not_found' | 'proof_unavailable'
>;

/**
 * Merkle proof that a block has a transaction.
 *
 * The branch from the txid to the merkle root, and the header that carries the root. Hash pairs with double SHA-256,
 * in internal byte order; the bits of `position`, lowest first, say whether the sibling stands left (1).
 *
 * @throws {GetTransactionProofError}
 * @example
 * const transactionProof = await getTransactionProof(client, { txid: 'f4184fc5…' });
 */
export function getTransactionProof(
  client: Client,
  params: GetTransactionProofParams,
  options?: CallOptions,
): Promise<GetTransactionProofResult> {
  return client.request({ method: 'GET', path: '/api/v1/tx/{txid}/proof', params }, options);
}
