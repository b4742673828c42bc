import type { EventFeedJson, EventFeedQuery } from '@coinfront/api/merchant-events.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type ListEventsParams = ParamsOf<typeof EventFeedQuery>;
export type ListEventsResult = EventFeedJson;
export type ListEventsError = CoinfrontError<
  CallErrorCode | MerchantErrorCode | CursorErrorCode | 'cursor_expired'
>;

/**
 * The feed of all events, oldest first.
 *
 * What webhooks tell, in an order that never changes, 90 days back: for a shop that was away, or has no webhooks. Keep `next_cursor`
 * with what you have done, and ask with it again: no event is missed, and none comes twice, for as long as you come back within
 * 90 days. Of one payment, go by `sequence`. The filters hold for the page, not for the cursor.
 *
 * @throws {ListEventsError}
 * @example
 * const { items, next_cursor, has_more } = await listEvents(client, { since: '2026-03-01T00:00:00Z' });
 */
export function listEvents(
  client: Client,
  params: ListEventsParams = {},
  options?: CallOptions,
): Promise<ListEventsResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/merchant/events', params, authorised: true },
    options,
  );
}
