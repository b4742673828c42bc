/** How routes are registered that are not a read of one snapshot: state of the service, documents, commands. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { type CompressedForms, variesByCoding } from './compressed-answers.ts';
import { isStreamed, type StreamedText } from './large-answers.ts';
import { isNamed } from './revalidation.ts';
import { describeRoute, jsonContentType, type NoParameters, type RouteShape } from './route-shape.ts';
import { type CachePolicy, cacheControls, nameText } from './snapshot.ts';

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

/** The text of a JSON body, with what names it where that is not its text, and what it became where it is kept. */
export type WrittenJson = {
  readonly writtenJson: string;
  readonly etag?: string;
  readonly forms?: CompressedForms;
};

/** Registers a route that is not a read of one snapshot. */
export function registerCall<
  R extends TSchema,
  P extends TObject = NoParameters,
  Q extends TObject = NoParameters,
  B extends TSchema = TSchema,
>(app: FastifyInstance, route: CallRoute<P, Q, B, R>): void {
  const { contentType, status } = route.operation;
  const revalidates = route.method === 'GET' && route.cache !== 'none';
  const { admit, bodyLimit = route.body === undefined ? unreadBodyLimit : undefined } = route;
  app.route({
    method: route.method,
    url: route.path,
    ...describeRoute({ ...route, operation: { ...route.operation, revalidates } }),
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
      if (isStreamed(body)) {
        if (contentType !== undefined) reply.type(contentType);
        return app.largeAnswers.send(request, reply, body);
      }
      // The call has sent its own answer.
      if (reply.sent || body === undefined) return body;
      const text = isWritten(body) ? body.writtenJson : writeBody(reply, body, contentType);
      if (!revalidates) return reply.type(contentType ?? jsonContentType).send(text);
      const etag = (isWritten(body) ? body.etag : undefined) ?? nameText(text);
      if (isNamed(request, reply, etag)) {
        variesByCoding(reply);
        return reply.code(304).send();
      }
      reply.type(contentType ?? jsonContentType);
      const forms = isWritten(body) ? body.forms : undefined;
      await app.compressedAnswers.send(request, reply, text, forms);
      return reply;
    },
  });
}

function writeBody(reply: FastifyReply, body: unknown, contentType: string | undefined): string {
  return contentType === undefined ? (reply.serialize(body as object) as string) : String(body);
}

function isWritten(body: unknown): body is WrittenJson {
  return typeof body === 'object' && body !== null && 'writtenJson' in body;
}
