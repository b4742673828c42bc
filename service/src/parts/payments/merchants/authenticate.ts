/** Who asks: the merchant of the API key in the request. */

import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { apiKeyHeader } from '../../../http/openapi.ts';
import type { PaymentContext } from '../payment-context.ts';
import { hashApiKey, isApiKeyForm, isSameHash } from './api-key.ts';
import { findMerchantByKey, type Merchant } from './merchant-store.ts';

const known = new WeakMap<FastifyRequest, Merchant>();

/**
 * The merchant whose key the request carries; asked again for the same request, it answers from memory.
 *
 * @throws AppError `api_key_invalid` when there is none, or it is wrong or expired; `merchant_disabled`
 */
export async function authenticateMerchant(
  { precious, now }: Pick<PaymentContext, 'precious' | 'now'>,
  request: FastifyRequest,
): Promise<Merchant> {
  const before = known.get(request);
  if (before !== undefined) return before;
  const key = request.headers[apiKeyHeader.toLowerCase()];
  if (!isApiKeyForm(key)) throw refuse(key === undefined ? 'is missing' : 'has not the form of a key');
  const hash = hashApiKey(key);
  const found = await findMerchantByKey(precious, hash);
  if (found === undefined || !isSameHash(found.hash, hash)) throw refuse('is not known');
  if (found.expiresAt !== null && found.expiresAt <= now()) throw refuse('was replaced and has expired');
  const { merchant } = found;
  if (merchant.disabled_at !== null) {
    throw new AppError('merchant_disabled', 'The operator has disabled this merchant; ask the operator.');
  }
  known.set(request, merchant);
  return merchant;
}

function refuse(what: string): AppError {
  const detail = `The API key in the header ${apiKeyHeader} ${what}. The operator makes keys: npm run admin -- merchant.`;
  // RFC 9110, 15.5.2: a 401 names how to authenticate.
  return new AppError('api_key_invalid', detail, { 'www-authenticate': apiKeyHeader });
}
