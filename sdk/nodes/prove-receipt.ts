import type { ReceiptParams, ReceiptProofView } from '@coinfront/api/registry.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type ProveReceiptParams = ParamsOf<typeof ReceiptParams>;
export type ProveReceiptResult = Static<typeof ReceiptProofView>;
export type ProveReceiptError = CoinfrontError<
  CallErrorCode | 'epoch_open' | 'index_unavailable' | 'receipt_not_found'
>;

/**
 * Proof that a receipt is in its epoch.
 *
 * The inclusion proof of RFC 6962 from the hash of the receipt to the root that the registry signed for the epoch.
 * docs/protocols/registry.md says how to check it.
 *
 * @throws {ProveReceiptError}
 * @example
 * const { index, size, path, epoch } = await proveReceipt(client, { sequence: 1 });
 */
export function proveReceipt(
  client: Client,
  params: ProveReceiptParams,
  options?: CallOptions,
): Promise<ProveReceiptResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/receipts/{sequence}/proof', params }, options);
}
