import type { PageQuery } from '@coinfront/api/paging.ts';
import type { LedgerView } from '@coinfront/api/treasury.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode } from '../client/error-codes.ts';

export type ListLedgerParams = ParamsOf<typeof PageQuery>;
export type ListLedgerResult = Static<typeof LedgerView>;
export type ListLedgerError = CoinfrontError<
  CallErrorCode | CursorErrorCode | 'treasury_not_configured' | 'index_unavailable'
>;

/**
 * Public verified treasury ledger.
 *
 * Every movement of the treasury in the chain, newest first: each entry names transaction and block, and can be
 * checked. Entries are only ever added: when a block leaves the chain its entries are taken back by reversals, and
 * added anew when the transaction is mined again.
 *
 * @throws {ListLedgerError}
 * @example
 * const { items, next_cursor } = await listLedger(client);
 */
export function listLedger(
  client: Client,
  params: ListLedgerParams = {},
  options?: CallOptions,
): Promise<ListLedgerResult> {
  return client.request({ method: 'GET', path: '/api/treasury/ledger', params }, options);
}
