import type { AddressTableQuery } from '@coinfront/api/chain-addresses.ts';
import type { AddressParams } from '@coinfront/api/common.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type ExportAddressTransactionsParams = ParamsOf<typeof AddressParams, typeof AddressTableQuery>;
export type ExportAddressTransactionsResult = string;
export type ExportAddressTransactionsError = CoinfrontError<IndexReadErrorCode | 'address_invalid'>;

/**
 * Confirmed history of an address as a table, for spreadsheets.
 *
 * CSV (RFC 4180), newest first: time, height, txid, amount, balance. What waits in the mempool is not among them; `direction` and days choose some. Of a very long
 * table the client takes as much as `maxAnswerBytes` says.
 *
 * @throws {ExportAddressTransactionsError}
 * @example
 * const csv = await exportAddressTransactions(client, { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' });
 */
export function exportAddressTransactions(
  client: Client,
  params: ExportAddressTransactionsParams,
  options?: CallOptions,
): Promise<ExportAddressTransactionsResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/address/{address}/transactions.csv', params, answer: 'text' },
    options,
  );
}
