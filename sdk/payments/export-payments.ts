import type { PaymentExportQuery } from '@coinfront/api/payment-lists.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type ExportPaymentsParams = ParamsOf<typeof PaymentExportQuery>;
export type ExportPaymentsResult = string;
export type ExportPaymentsError = CoinfrontError<CallErrorCode | MerchantErrorCode | 'overloaded'>;

/**
 * The merchant's payments as a table, for spreadsheets.
 *
 * The payments that the list would give, all of them, as CSV (RFC 4180) in UTF-8; the first line names the columns. Each payment
 * that is there at the beginning comes once, as it was when its line was read. `txids` has the 50 newest outputs. A text
 * that a spreadsheet would take for a formula begins with an apostrophe. A table that cannot be completed is cut off: the
 * transfer fails, it does not end early. One at a time for a merchant.
 *
 * The whole table is read, up to the client's `maxAnswerBytes`, and within its `timeoutMs`: for tens of thousands of payments ask for
 * some months at a time, or raise both.
 *
 * @throws {ExportPaymentsError}
 * @example
 * const csv = await exportPayments(client, { created_from: '2026-03-01', created_to: '2026-03-31' });
 */
export function exportPayments(
  client: Client,
  params: ExportPaymentsParams = {},
  options?: CallOptions,
): Promise<ExportPaymentsResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/payments.csv', params, authorised: true, answer: 'text' },
    options,
  );
}
