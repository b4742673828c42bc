import type { LooksParams, SignedLooksJson } from '@coinfront/api/registry.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetLooksParams = ParamsOf<typeof LooksParams>;
export type GetLooksResult = SignedLooksJson;
export type GetLooksError = CoinfrontError<CallErrorCode | 'looks_not_found'>;

/**
 * One statement.
 *
 * A statement by its hash. It never changes.
 *
 * @throws {GetLooksError}
 * @example
 * const { statement, hash, signature } = await getLooks(client, { hash: '3e451ce7…' });
 */
export function getLooks(
  client: Client,
  params: GetLooksParams,
  options?: CallOptions,
): Promise<GetLooksResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/looks/{hash}', params }, options);
}
