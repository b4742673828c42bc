import type { ReceiptJson, ReceiptParams } from '@coinfront/api/registry.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetReceiptParams = ParamsOf<typeof ReceiptParams>;
export type GetReceiptResult = ReceiptJson;
export type GetReceiptError = CoinfrontError<CallErrorCode | 'index_unavailable' | 'receipt_not_found'>;

/**
 * One receipt.
 *
 * A receipt by its place in the log. It never changes.
 *
 * @throws {GetReceiptError}
 * @example
 * const { receipt, hash, signature } = await getReceipt(client, { sequence: 1 });
 */
export function getReceipt(
  client: Client,
  params: GetReceiptParams,
  options?: CallOptions,
): Promise<GetReceiptResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/receipts/{sequence}', params }, options);
}
