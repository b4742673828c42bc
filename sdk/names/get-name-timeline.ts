import type { NameTimelineJson } from '@coinfront/api/name-timeline.ts';
import type { NameParams } from '@coinfront/api/names.ts';
import type { PageQuery } from '@coinfront/api/paging.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type GetNameTimelineParams = ParamsOf<typeof NameParams, typeof PageQuery>;
export type GetNameTimelineResult = NameTimelineJson;
export type GetNameTimelineError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'name_invalid' | 'name_not_found' | 'cursor_expired'
>;

/**
 * The life of a name.
 *
 * What was done with a name, and what became of it when nothing was: its expiry, the end of its grace, and of the
 * premium. Invalid operations changed nothing and are not among it; `/name/{name}` has them.
 *
 * @throws {GetNameTimelineError}
 * @example
 * const { items, next_cursor } = await getNameTimeline(client, { name: 'alice.coin' });
 */
export function getNameTimeline(
  client: Client,
  params: GetNameTimelineParams,
  options?: CallOptions,
): Promise<GetNameTimelineResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/name/{name}/timeline', params }, options);
}
