/** Routes for merchants: with the API key, never cached. */

import type { KeyScope } from '@coinfront/api/merchant-keys.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { type CallAnswer, type CallInput, type CallRoute, registerCall } from '../../../http/call-route.ts';
import type { Operation } from '../../../http/operation.ts';
import type { PaymentContext } from '../payment-context.ts';
import { authenticateMerchant } from './authenticate.ts';
import type { Merchant } from './merchant-store.ts';

type MerchantRoute<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema> = Omit<
  CallRoute<P, Q, B, R>,
  'call' | 'cache' | 'admit' | 'operation'
> & {
  operation: Omit<Operation, 'document' | 'security' | 'scope'>;
  /** What the key has to be good for; `read` for a GET, `all` for others, unless given. */
  scope?: KeyScope;
  call(input: CallInput<P, Q, Static<B>> & { merchant: Merchant }): Promise<CallAnswer<R>> | CallAnswer<R>;
};

/** Registers a route of the chain document that only a merchant may call; who calls is known before the body is read. */
export function registerMerchantCall<
  R extends TSchema,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
>(
  app: FastifyInstance,
  context: Pick<PaymentContext, 'precious' | 'now'>,
  route: MerchantRoute<P, Q, B, R>,
): void {
  const { scope = route.method === 'GET' ? 'read' : 'all' } = route;
  const authenticate = (request: FastifyRequest) => authenticateMerchant(context, request, scope);
  registerCall<R, P, Q, B>(app, {
    ...route,
    cache: 'none',
    operation: { ...route.operation, document: 'chain', security: 'merchantKey', scope },
    admit: authenticate,
    call: async (input) => await route.call({ ...input, merchant: await authenticate(input.request) }),
  });
}
