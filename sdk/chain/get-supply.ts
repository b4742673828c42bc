import type { SupplyJson } from '@coinfront/api/chain-state.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetSupplyResult = SupplyJson;
export type GetSupplyError = CoinfrontError<IndexReadErrorCode>;

/**
 * Issued and matured supply.
 *
 * Computed from the blocks themselves, not from the schedule: what was never claimed is not counted.
 *
 * @throws {GetSupplyError}
 * @example
 * const supply = await getSupply(client);
 */
export function getSupply(client: Client, options?: CallOptions): Promise<GetSupplyResult> {
  return client.request({ method: 'GET', path: '/api/v1/supply' }, options);
}
