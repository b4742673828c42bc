import type { FinderListJson, FinderQuery } from '@coinfront/api/mining-luck.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type ListBlockFindersParams = ParamsOf<typeof FinderQuery>;
export type ListBlockFindersResult = FinderListJson;
export type ListBlockFindersError = CoinfrontError<IndexReadErrorCode>;

/**
 * Who finds the blocks.
 *
 * The share of the latest blocks that each tag in coinbases has, or each address that blocks without a tag pay. Anybody
 * can write any tag.
 *
 * @throws {ListBlockFindersError}
 * @example
 * const { items } = await listBlockFinders(client, { blocks: 144 });
 */
export function listBlockFinders(
  client: Client,
  params: ListBlockFindersParams = {},
  options?: CallOptions,
): Promise<ListBlockFindersResult> {
  return client.request({ method: 'GET', path: '/api/v1/mining/pools', params }, options);
}
