import type { HealthJson, HealthQuery } from '@coinfront/api/chain-state.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetHealthParams = ParamsOf<typeof HealthQuery>;
export type GetHealthResult = HealthJson;
export type GetHealthError = CoinfrontError<CallErrorCode>;

/**
 * Service health.
 *
 * Liveness: 200 as long as the process answers, with its state in `status`. With `?require=ready` the same body comes
 * with 503 unless `ready` is true, for load balancers.
 *
 * @throws {GetHealthError}
 * @example
 * const health = await getHealth(client);
 */
export function getHealth(
  client: Client,
  params: GetHealthParams = {},
  options?: CallOptions,
): Promise<GetHealthResult> {
  return client.request({ method: 'GET', path: '/api/v1/health', params }, options);
}
