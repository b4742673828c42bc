import type { ContributionReceiptJson, ReceiptBody } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type GetContributionReceiptParams = ParamsOf<typeof ReceiptBody>;
export type GetContributionReceiptResult = ContributionReceiptJson;
export type GetContributionReceiptError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'contributor_secret_invalid'
  | 'entry_not_found'
  | 'service_behind_node'
  | 'treasury_not_configured'
  | 'index_unavailable'
>;

/**
 * Receipt that proves an entry to be the contributor's.
 *
 * The entry as the service has signed it, and the salt that shows whose it is. Check it with `verifyContributionReceipt`, and keep
 * it: a ledger without the entry, or with another owner of it, is then not the one that was signed.
 *
 * @throws {GetContributionReceiptError}
 * @example
 * const receipt = await getContributionReceipt(client, { contributor_secret: '9f2c71d0…', sequence: 41 });
 */
export function getContributionReceipt(
  client: Client,
  params: GetContributionReceiptParams,
  options?: CallOptions,
): Promise<GetContributionReceiptResult> {
  return client.request({ method: 'POST', path: '/api/treasury/receipt', body: params }, options);
}
