import type { PoolReportJson, PoolReportQuery } from '@coinfront/api/mining-reports.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetPoolReportParams = ParamsOf<typeof PoolReportQuery>;
export type GetPoolReportResult = PoolReportJson;
export type GetPoolReportError = CoinfrontError<IndexReadErrorCode | 'pool_not_found'>;

/**
 * The blocks and payments that the software of a pool reports.
 *
 * They are the pool's claims, of the main pool or, with `source`, of a further one; `confirmations` are what the chain says of a block.
 *
 * @throws {GetPoolReportError}
 * @example
 * const { blocks, payments } = await getPoolReport(client, { source: 'merged' });
 */
export function getPoolReport(
  client: Client,
  params: GetPoolReportParams = {},
  options?: CallOptions,
): Promise<GetPoolReportResult> {
  return client.request({ method: 'GET', path: '/api/v1/pool/reports', params }, options);
}
