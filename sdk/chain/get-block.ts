import type { BlockDetailJson } from '@coinfront/api/chain-blocks.ts';
import type { PageQuery } from '@coinfront/api/paging.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type GetBlockParams = ParamsOf<typeof PageQuery> & { id: string | number };
export type GetBlockResult = BlockDetailJson;
export type GetBlockError = CoinfrontError<IndexReadErrorCode | CursorErrorCode | 'block_not_found'>;

/**
 * A block by height or hash.
 *
 * The block with a page of its transactions in block order. With 100 confirmations the answer may be kept for ten
 * minutes: only `confirmations` changes in it, and `X-Chain-Height` says for which tip it was right.
 *
 * @throws {GetBlockError}
 * @example
 * const block = await getBlock(client, { id: 812345 });
 */
export function getBlock(
  client: Client,
  params: GetBlockParams,
  options?: CallOptions,
): Promise<GetBlockResult> {
  return client.request({ method: 'GET', path: '/api/v1/block/{id}', params }, options);
}
