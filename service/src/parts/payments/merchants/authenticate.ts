/** Who asks: the merchant of the API key in the request. */

import type { KeyScope } from '@coinfront/api/merchant-keys.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { apiKeyHeader } from '../../../http/openapi.ts';
import type { PaymentContext } from '../payment-context.ts';
import { hashApiKey, isApiKeyForm, isSameHash } from './api-key.ts';
import { noteKeyUse } from './key-store.ts';
import { type FoundKey, findMerchantByKey, type Merchant } from './merchant-store.ts';
import { includesScope } from './scope-rules.ts';

const known = new WeakMap<FastifyRequest, Merchant>();

/**
 * The merchant whose key the request carries; asked again for the same request, it answers from memory.
 *
 * @param needed the scope that the route needs
 * @throws AppError `api_key_invalid` when there is none, or it is wrong or expired; `merchant_disabled`;
 *   `key_scope_insufficient`
 */
export async function authenticateMerchant(
  context: Pick<PaymentContext, 'precious' | 'now'>,
  request: FastifyRequest,
  needed: KeyScope,
): Promise<Merchant> {
  const before = known.get(request);
  if (before !== undefined) return before;
  const { merchant, key } = await checkApiKey(context, request.headers[apiKeyHeader.toLowerCase()], refuse);
  if (key.granted !== null) {
    const detail =
      'This API key was made for an application, and is good under /btcpay only. Use a key that was made for you.';
    throw new AppError('key_scope_insufficient', detail);
  }
  if (!includesScope(key.scope, needed)) {
    const detail = `The scope of the API key is "${key.scope}"; this needs "${needed}". Use another key.`;
    throw new AppError('key_scope_insufficient', detail);
  }
  await noteKeyUse(context.precious, key, context.now());
  known.set(request, merchant);
  return merchant;
}

/**
 * The merchant of a key, and what the key is good for.
 *
 * @param given what was sent for a key, if anything
 * @param refuse the error for a key that is not good, from what continues "The key"
 * @throws AppError what `refuse` gives; `merchant_disabled`
 */
export async function checkApiKey(
  { precious, now }: Pick<PaymentContext, 'precious' | 'now'>,
  given: unknown,
  refuse: (what: string) => AppError,
): Promise<{ merchant: Merchant; key: FoundKey }> {
  if (!isApiKeyForm(given)) throw refuse(given === undefined ? 'is missing' : 'has not the form of a key');
  const hash = hashApiKey(given);
  const found = await findMerchantByKey(precious, hash);
  if (found === undefined || !isSameHash(found.key.hash, hash)) throw refuse('is not known');
  const { merchant, key } = found;
  if (key.expires_at !== null && key.expires_at <= now()) throw refuse('has expired');
  if (merchant.disabled_at !== null) {
    throw new AppError('merchant_disabled', 'The operator has disabled this merchant; ask the operator.');
  }
  return { merchant, key };
}

function refuse(what: string): AppError {
  const detail = `The API key in the header ${apiKeyHeader} ${what}. The operator makes the first: npm run admin -- merchant.`;
  // RFC 9110, 15.5.2: a 401 names how to authenticate.
  return new AppError('api_key_invalid', detail, { 'www-authenticate': apiKeyHeader });
}
