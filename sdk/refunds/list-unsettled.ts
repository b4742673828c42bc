import type { UnsettledList, UnsettledQuery } from '@coinfront/api/refunds.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type ListUnsettledParams = ParamsOf<typeof UnsettledQuery>;
export type ListUnsettledResult = Static<typeof UnsettledList>;
export type ListUnsettledError = CoinfrontError<CallErrorCode | MerchantErrorCode | CursorErrorCode>;

/**
 * Payments with money that nobody has settled, newest first.
 *
 * Money that came too late, to a payment that is expired or cancelled, or above the amount; and refunds of more than is
 * left over, because money went away. A payment leaves the list when it is accepted, when all of it is in refunds, or
 * when it is resolved; more money brings it back.
 *
 * @throws {ListUnsettledError}
 * @example
 * const { items, next_cursor } = await listUnsettled(client);
 */
export function listUnsettled(
  client: Client,
  params: ListUnsettledParams = {},
  options?: CallOptions,
): Promise<ListUnsettledResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/merchant/unsettled', params, authorised: true },
    options,
  );
}
