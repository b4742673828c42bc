import type { MinerDetailJson, MinerParams, PoolSourceQuery } from '@coinfront/api/mining-history.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetPoolMinerParams = ParamsOf<typeof MinerParams, typeof PoolSourceQuery>;
export type GetPoolMinerResult = MinerDetailJson;
export type GetPoolMinerError = CoinfrontError<
  CallErrorCode | 'pool_not_found' | 'miner_not_found' | 'miner_ambiguous'
>;

/**
 * One miner of a pool.
 *
 * Machines, hashrates, shares, balance and payments of one miner, as the software of the pool says. What it does not say
 * is null. The address may be shortened as the list of miners has it.
 *
 * @throws {GetPoolMinerError}
 * @example
 * const { workers, shares } = await getPoolMiner(client, {
 *   address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
 * });
 */
export function getPoolMiner(
  client: Client,
  params: GetPoolMinerParams,
  options?: CallOptions,
): Promise<GetPoolMinerResult> {
  return client.request({ method: 'GET', path: '/api/v1/pool/miners/{address}', params }, options);
}
