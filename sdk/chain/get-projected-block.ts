import type { ProjectedBlockJson, ProjectedBlockParams } from '@coinfront/api/chain-mempool.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetProjectedBlockParams = ParamsOf<typeof ProjectedBlockParams>;
export type GetProjectedBlockResult = ProjectedBlockJson;
export type GetProjectedBlockError = CoinfrontError<IndexReadErrorCode>;

/**
 * Transactions of a projected block.
 *
 * The mempool, highest fee rate first, is cut into blocks of 1,000,000 virtual bytes; this lists the transactions of one. A transaction is in
 * the block in which its first byte lies. Its own fee rate counts: a child that pays for it (CPFP) does not move it forward.
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
