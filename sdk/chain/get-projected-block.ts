import type { ProjectedBlockJson, ProjectedBlockParams } from '@coinfront/api/chain-mempool.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetProjectedBlockParams = ParamsOf<typeof ProjectedBlockParams>;
export type GetProjectedBlockResult = ProjectedBlockJson;
export type GetProjectedBlockError = CoinfrontError<IndexReadErrorCode>;

/**
 * What a block to come would hold.
 *
 * The mempool by fee rate, highest first, cut into blocks of 1,000,000 virtual bytes: the transactions of one of them. A transaction is
 * in the block in which its first byte lies. Each goes by its own fee rate: one that a child pays for is not ahead of it.
 *
 * @throws {GetProjectedBlockError}
 * @example
 * const { transactions } = await getProjectedBlock(client, { number: 1 });
 */
export function getProjectedBlock(
  client: Client,
  params: GetProjectedBlockParams,
  options?: CallOptions,
): Promise<GetProjectedBlockResult> {
  return client.request({ method: 'GET', path: '/api/v1/mempool/blocks/{number}', params }, options);
}
