import type { PreflightBody, PreflightJson } from '@coinfront/api/token-checks.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type PreflightTokenParams = ParamsOf<typeof PreflightBody>;
export type PreflightTokenResult = PreflightJson;
export type PreflightTokenError = CoinfrontError<ReadErrorCode | BodyErrorCode>;

/**
 * Check an exact signed transaction before it is sent.
 *
 * Says what the index will make of it in the next block, what it does to balances, whether a CREATE pays its fee now
 * and in the block after, and whether the node would take it. It is never broadcast. Send it with `/broadcast` when
 * `ok` is true; what others have mined before it can still change the verdict.
 *
 * @throws {PreflightTokenError}
 * @example
 * const token = await preflightToken(client, { raw_tx: '0200000001' });
 */
export function preflightToken(
  client: Client,
  params: PreflightTokenParams,
  options?: CallOptions,
): Promise<PreflightTokenResult> {
  return client.request({ method: 'POST', path: '/api/v1/tok/preflight', body: params }, options);
}
