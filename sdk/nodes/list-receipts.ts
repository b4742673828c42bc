import type { ReceiptList, ReceiptQuery } from '@coinfront/api/registry.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode } from '../client/error-codes.ts';

export type ListReceiptsParams = ParamsOf<typeof ReceiptQuery>;
export type ListReceiptsResult = Static<typeof ReceiptList>;
export type ListReceiptsError = CoinfrontError<CallErrorCode | CursorErrorCode | 'index_unavailable'>;

/**
 * Receipts.
 *
 * What was seen of nodes, newest first: an append-only log, each receipt signed and bound to the one before by its
 * hash. Receipts of outages are for all nodes and in no list of one.
 *
 * @throws {ListReceiptsError}
 * @example
 * const { items, next_cursor } = await listReceipts(client, { node_key: '8a875fff…' });
 */
export function listReceipts(
  client: Client,
  params: ListReceiptsParams,
  options?: CallOptions,
): Promise<ListReceiptsResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/receipts', params }, options);
}
