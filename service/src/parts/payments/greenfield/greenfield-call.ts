/** How routes of BTCPay's interface are registered: its key, permissions, validation and errors in one place. */

import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { RawQuery } from '../../../http/query-string.ts';
import { cacheControls } from '../../../http/snapshot.ts';
import { paymentIdPattern, webhookIdPattern } from '../payment-ids.ts';
import { paymentNotFound } from '../requests/refuse-payment.ts';
import { webhookNotFound } from '../webhooks/webhook-refusals.ts';
import { type Caller, findCaller } from './caller.ts';
import { compileBody } from './check-body.ts';
import type { GreenfieldContext } from './greenfield-context.ts';
import { MissingPermission, StoreNotFound, writeGreenfieldError } from './greenfield-errors.ts';
import type { Permission } from './permission-rules.ts';

/** What a route is given. */
export type GreenfieldInput<B> = {
  caller: Caller;
  params: Readonly<Record<string, string>>;
  query: RawQuery;
  body: B;
  request: FastifyRequest;
};

export type GreenfieldRoute<B extends TSchema> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** What the key has to be allowed; undefined where any key does. */
  permission?: Permission;
  body?: B;
  /** Request units. */
  cost?: number;
  /** Gives what is answered as JSON; nothing for an empty answer. */
  call(input: GreenfieldInput<Static<B>>): unknown;
};

/** Bytes of a body: metadata and what is around them. */
const bodyLimit = 16_384;
const unreadBodyLimit = 1_024;

/**
 * Registers a route for holders of a key. A `:storeId` in its path has to be theirs; an `:invoiceId` or a `:webhookId` has the form of
 * one when the route is called.
 */
export function registerGreenfield<B extends TSchema = TSchema>(
  app: FastifyInstance,
  context: GreenfieldContext,
  { method, path, permission, body: schema, cost = 1, call }: GreenfieldRoute<B>,
): void {
  const checkBody = schema && compileBody(schema);
  app.route<{ Params: Record<string, string> }>({
    method,
    url: path,
    bodyLimit: schema === undefined ? unreadBodyLimit : bodyLimit,
    config: { cost, writeError: writeGreenfieldError },
    onRequest: async (request) => {
      const { permissions, merchant } = await findCaller(context, request);
      const { storeId, invoiceId, webhookId } = request.params;
      if (storeId !== undefined && storeId !== merchant.id) throw new StoreNotFound();
      if (permission !== undefined && !permissions.includes(permission))
        throw new MissingPermission(permission);
      // What is no identifier is never asked of the database, which refuses some texts.
      if (invoiceId !== undefined && !paymentIdPattern.test(invoiceId))
        throw paymentNotFound(quoteReceived(invoiceId));
      if (webhookId !== undefined && !webhookIdPattern.test(webhookId))
        throw webhookNotFound(quoteReceived(webhookId));
    },
    handler: async (request, reply) => {
      const answer = await call({
        caller: await findCaller(context, request),
        params: request.params,
        query: request.query as RawQuery,
        body: (checkBody === undefined ? undefined : checkBody(request.body)) as Static<B>,
        request,
      });
      reply.header('cache-control', cacheControls.none);
      return answer === undefined ? reply.send() : answer;
    },
  });
}
