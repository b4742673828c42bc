import type { BatchAnswer, BatchBody } from '@coinfront/api/chain-batch.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ReadBatchParams = ParamsOf<typeof BatchBody>;
export type ReadBatchResult = Static<typeof BatchAnswer>;
export type ReadBatchError = CoinfrontError<IndexReadErrorCode | BodyErrorCode>;

/**
 * Many reads in one request, from one snapshot.
 *
 * Up to 100 paths of the chain API, as they come behind `/api/v1`. Each answer has the status and the body that the read would get by
 * itself; one that is refused leaves the others as they are.
 *
 * @throws {ReadBatchError}
 * @example
 * const { as_of, answers } = await readBatch(client, { reads: ['/address/ltc1…', '/block/170'] });
 */
export function readBatch(
  client: Client,
  params: ReadBatchParams,
  options?: CallOptions,
): Promise<ReadBatchResult> {
  return client.request({ method: 'POST', path: '/api/v1/batch', body: params, repeatable: true }, options);
}
