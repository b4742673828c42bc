/** How routes are registered that are not a read of one snapshot: state of the service, documents, commands. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { isStreamed, type StreamedText } from './large-answers.ts';
import { describeRoute, jsonContentType, type NoParameters, type RouteShape } from './route-shape.ts';
import { type CachePolicy, cacheControls } from './snapshot.ts';

/** The checked input of a call. */
export type CallInput<P extends TObject, Q extends TObject, B> = {
  params: Static<P>;
  query: Static<Q>;
  body: B;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** A route that is not a read of one snapshot: state of the service, documents, commands. */
export type CallRoute<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
> = RouteShape<P, Q, R> & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: B;
  /** Largest body in bytes; 16 KiB unless given, 1 KiB where there is none to read. */
  bodyLimit?: number;
  cache: CachePolicy;
  /** What is decided before the body is read, such as who asks. */
  admit?: (request: FastifyRequest) => Promise<unknown>;
  /** Gives the body: a value, JSON that is written already, a text in parts, or the reply once it is sent. */
  call(input: CallInput<P, Q, Static<B>>): Promise<CallAnswer<R>> | CallAnswer<R>;
};

/** Bytes of a body that nobody asked for: some clients send an empty object. */
const unreadBodyLimit = 1_024;

/** What a call gives back. */
export type CallAnswer<R extends TSchema> = Static<R> | WrittenJson | StreamedText | FastifyReply;

/** The text of a JSON body. */
export type WrittenJson = { readonly writtenJson: string };

/** Registers a route that is not a read of one snapshot. */
export function registerCall<
  R extends TSchema,
  P extends TObject = NoParameters,
  Q extends TObject = NoParameters,
  B extends TSchema = TSchema,
>(app: FastifyInstance, route: CallRoute<P, Q, B, R>): void {
  const { contentType, status } = route.operation;
  const { admit, bodyLimit = route.body === undefined ? unreadBodyLimit : undefined } = route;
  app.route({
    method: route.method,
    url: route.path,
    ...describeRoute(route),
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(admit === undefined
      ? {}
      : { onRequest: async (request: FastifyRequest) => void (await admit(request)) }),
    handler: async (request, reply) => {
      reply.header('cache-control', cacheControls[route.cache]);
      if (status !== undefined) reply.code(status);
      const body = await route.call({
        params: request.params as Static<P>,
        query: request.query as Static<Q>,
        body: request.body as Static<B>,
        request,
        reply,
      });
      if (isWritten(body)) return reply.type(jsonContentType).send(body.writtenJson);
      if (contentType !== undefined) reply.type(contentType);
      if (isStreamed(body)) return app.largeAnswers.send(request, reply, body);
      return body;
    },
  });
}

function isWritten(body: unknown): body is WrittenJson {
  return typeof body === 'object' && body !== null && 'writtenJson' in body;
}
