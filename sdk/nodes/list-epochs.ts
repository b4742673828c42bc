import type { PageQuery } from '@coinfront/api/paging.ts';
import type { EpochList } from '@coinfront/api/registry.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode } from '../client/error-codes.ts';

export type ListEpochsParams = ParamsOf<typeof PageQuery>;
export type ListEpochsResult = Static<typeof EpochList>;
export type ListEpochsError = CoinfrontError<CallErrorCode | CursorErrorCode | 'index_unavailable'>;

/**
 * Epochs.
 *
 * Epochs are so many blocks long, newest first: the open one, and closed ones with the signed Merkle root of their
 * receipts. Epochs without receipts are not listed. A closed one stays as it is, whatever the chain does.
 *
 * @throws {ListEpochsError}
 * @example
 * const { items, next_cursor } = await listEpochs(client, {});
 */
export function listEpochs(
  client: Client,
  params: ListEpochsParams,
  options?: CallOptions,
): Promise<ListEpochsResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/epochs', params }, options);
}
