/** Who asks: the merchant of the key in `Authorization: token …`, and what the key may do. */

import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { checkApiKey } from '../merchants/authenticate.ts';
import { noteKeyUse } from '../merchants/key-store.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { GreenfieldContext } from './greenfield-context.ts';
import { type Permission, permissionsOfScope } from './permission-rules.ts';

export type Caller = {
  merchant: Merchant;
  apiKey: string;
  permissions: readonly Permission[];
};

const known = new WeakMap<FastifyRequest, Caller>();

/**
 * Who asks; asked again for the same request, it answers from memory.
 *
 * @throws AppError `api_key_invalid`, `merchant_disabled`
 */
export async function findCaller(context: GreenfieldContext, request: FastifyRequest): Promise<Caller> {
  const before = known.get(request);
  if (before !== undefined) return before;
  const apiKey = /^token +([^ ]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const { merchant, key } = await checkApiKey(context, apiKey, refuse);
  await noteKeyUse(context.precious, key, context.now());
  const permissions =
    key.granted === null ? permissionsOfScope(key.scope) : (JSON.parse(key.granted) as Permission[]);
  const caller = { merchant, apiKey: apiKey!, permissions };
  known.set(request, caller);
  return caller;
}

function refuse(what: string): AppError {
  const detail = `The API key in "Authorization: token …" ${what}.`;
  return new AppError('api_key_invalid', detail, { 'www-authenticate': 'token' });
}
