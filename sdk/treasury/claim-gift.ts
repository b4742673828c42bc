import type { ClaimBody, ClaimedJson } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type ClaimGiftParams = ParamsOf<typeof ClaimBody>;
export type ClaimGiftResult = ClaimedJson;
export type ClaimGiftError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'contributor_secret_invalid'
  | 'gift_not_found'
  | 'outpoint_used'
  | 'claim_invalid'
  | 'treasury_not_configured'
  | 'index_unavailable'
>;

/**
 * Claim a gift that no intent had.
 *
 * Credits an unattributed output to the contributor, when an address that an input of its transaction spends from has signed
 * the text of the claim, which `writeGiftClaimText` of the protocol makes and which names the service by the key in `head` of `/status`.
 * Take the key that you know, not one that the service says for the first time. The first claim of an output holds.
 *
 * @throws {ClaimGiftError}
 * @example
 * const claimed = await claimGift(client, { contributor_secret: '9f2c71d0…', txid, vout: 0, address, signature });
 */
export function claimGift(
  client: Client,
  params: ClaimGiftParams,
  options?: CallOptions,
): Promise<ClaimGiftResult> {
  return client.request({ method: 'POST', path: '/api/treasury/claim', body: params }, options);
}
