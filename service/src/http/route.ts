/**
 * How routes are registered: a read of the chain in one snapshot, or a plain call. One place applies validation,
 * snapshot headers, ETag and caching, so that a route is its schemas and one function.
 */

import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { BlockRecord, ChainView, ReadChain } from '../chain/chain-reads.ts';
import { AppError } from '../errors.ts';
import type { WrittenBody } from './body-cache.ts';
import { spellOutNull } from './nullable.ts';
import type { Operation } from './operation.ts';
import { compileParameters } from './parameters.ts';
import {
  type CachePolicy,
  cacheControls,
  type Dependence,
  matchesEtag,
  type SnapshotNames,
} from './snapshot.ts';

/** What reading routes need: a view of the chain, and names for it. */
export type ReadDependencies = {
  readChain: ReadChain;
  nameSnapshot: (tip: { height: number; hash: Uint8Array }, mempoolVersion: number) => SnapshotNames;
};

const noParameters = Type.Object({}, { additionalProperties: false });
type NoParameters = typeof noParameters;

type RouteShape<P extends TObject, Q extends TObject, R extends TSchema> = {
  /** Fastify's pattern, below the prefix of the part. */
  path: string;
  operation: Operation;
  params?: P;
  query?: Q;
  /** Request headers that are checked, by their names as documented; others are let be. */
  headers?: TObject;
  /** Schema of the body of a success. A text or binary body is `Type.String()` with `operation.contentType`. */
  response: R;
  /** Request units that one call costs. */
  cost?: number;
  errorFormat?: 'problem' | 'text';
};

/** The checked input of a read, and the snapshot to read. */
export type ReadInput<P extends TObject, Q extends TObject> = {
  params: Static<P>;
  query: Static<Q>;
  view: ChainView;
  /** The tip of `view`. */
  tip: BlockRecord;
  /** Lets the response be kept for longer than its dependence allows by itself. */
  keep(policy: CachePolicy): void;
};

/** A GET that is answered from one snapshot of the chain. */
export type ReadRoute<P extends TObject, Q extends TObject, R extends TSchema> = RouteShape<P, Q, R> & {
  dependsOn: Dependence;
  read(input: ReadInput<P, Q>): Promise<Static<R> | Buffer>;
};

/** Registers a read of the chain. */
export function registerRead<
  R extends TSchema,
  P extends TObject = NoParameters,
  Q extends TObject = NoParameters,
>(app: FastifyInstance, { readChain, nameSnapshot }: ReadDependencies, route: ReadRoute<P, Q, R>): void {
  const { dependsOn } = route;
  const tagName = tagNames[dependsOn];
  const contentType = route.operation.contentType ?? jsonContentType;
  const written = dependsOn === 'volatile' ? undefined : app.writtenBodies[dependsOn];

  app.get(
    route.path,
    describeRoute({ ...route, operation: { ...route.operation, snapshot: true } }),
    (request, reply) =>
      readChain(async (view) => {
        const { tip } = view;
        if (tip === undefined) throw notReady();
        const names = nameSnapshot(tip, view.mempool.version);
        reply.header('x-chain-height', names.height).header('x-chain-tip', names.tip);
        const tag = tagName && names[tagName];
        if (tag !== undefined) {
          reply.header('etag', tag);
          if (matchesEtag(request.headers['if-none-match'], tag)) return { notModified: true } as const;
          const known = written?.find(tag, request.raw.url ?? '');
          if (known !== undefined) return { known };
        }
        let policy: CachePolicy = dependsOn;
        const body = await route.read({
          params: request.params as Static<P>,
          query: request.query as Static<Q>,
          view,
          tip,
          keep: (longer) => {
            policy = longer;
          },
        });
        return { body, tag, cacheControl: cacheControls[policy] };
      }).then(
        (answer) => {
          if (answer.notModified)
            return reply.code(304).header('cache-control', cacheControls[dependsOn]).send();
          if (answer.known !== undefined) return sendWritten(reply, answer.known);
          const { body, tag, cacheControl } = answer;
          if (Buffer.isBuffer(body))
            return reply.header('cache-control', cacheControl).type(contentType).send(body);
          const text = contentType === jsonContentType ? reply.serialize(body as object) : String(body);
          const answered = { text: text as string, contentType, cacheControl };
          if (tag !== undefined) written?.put(tag, request.raw.url ?? '', answered);
          return sendWritten(reply, answered);
        },
        (error) => {
          // The validators belong to the success that did not come about.
          reply.removeHeader('etag').header('cache-control', cacheControls.none);
          return reply.send(error);
        },
      ),
  );
}

function sendWritten(reply: FastifyReply, { text, contentType, cacheControl }: WrittenBody): FastifyReply {
  return reply.header('cache-control', cacheControl).type(contentType).send(text);
}

const jsonContentType = 'application/json; charset=utf-8';

const tagNames = { tip: 'tipTag', mempool: 'mempoolTag', volatile: undefined } as const;

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
  method: 'GET' | 'POST' | 'DELETE';
  body?: B;
  /** Largest body in bytes; 64 KiB unless given. */
  bodyLimit?: number;
  cache: CachePolicy;
  /** What is decided before the body is read, such as who asks. */
  admit?: (request: FastifyRequest) => Promise<unknown>;
  /** Gives the body: a value, JSON that is written already, or the reply once it is sent. */
  call(input: CallInput<P, Q, Static<B>>): Promise<CallAnswer<R>> | CallAnswer<R>;
};

/** What a call gives back. */
export type CallAnswer<R extends TSchema> = Static<R> | WrittenJson | FastifyReply;

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
  const { admit } = route;
  app.route({
    method: route.method,
    url: route.path,
    ...describeRoute(route),
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
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
      return body;
    },
  });
}

function isWritten(body: unknown): body is WrittenJson {
  return typeof body === 'object' && body !== null && 'writtenJson' in body;
}

function describeRoute<P extends TObject, Q extends TObject, R extends TSchema>(
  route: RouteShape<P, Q, R> & { body?: TSchema },
): { schema: FastifySchema; validatorCompiler: typeof compileValidator; config: FastifyContextConfig } {
  return {
    schema: {
      params: route.params ?? noParameters,
      querystring: route.query ?? noParameters,
      ...(route.headers === undefined ? {} : { headers: route.headers }),
      ...(route.body === undefined ? {} : { body: route.body }),
      response: { [route.operation.status ?? 200]: route.response },
    },
    validatorCompiler: compileValidator,
    config: {
      operation: route.operation,
      ...(route.cost === undefined ? {} : { cost: route.cost }),
      ...(route.errorFormat === undefined ? {} : { errorFormat: route.errorFormat }),
    },
  };
}

function notReady(): AppError {
  return new AppError('not_ready', 'No block is indexed yet. See /api/v1/health.', { 'retry-after': '5' });
}

type CompileInput = { schema: unknown; httpPart?: string };

/** Fastify's hook for validation: strict parameters, and bodies without any coercion. */
function compileValidator({ schema, httpPart }: CompileInput) {
  if (httpPart === 'headers') {
    const read = compileParameters(schema as TObject, 'header');
    return (raw: Record<string, unknown>) => {
      try {
        read(raw);
        return true;
      } catch (error) {
        return { error: error as AppError };
      }
    };
  }
  if (httpPart !== 'body') {
    const read = compileParameters(schema as TObject, httpPart === 'params' ? 'path' : 'query');
    return (raw: Record<string, unknown>) => {
      try {
        return { value: read(raw) };
      } catch (error) {
        return { error: error as AppError };
      }
    };
  }
  const validator = Compile(spellOutNull(schema as Record<string, unknown>) as TSchema);
  return (body: unknown) => {
    if (validator.Check(body)) return true;
    const [first] = validator.Errors(body);
    const where = first === undefined || first.instancePath === '' ? 'The body' : `"${first.instancePath}"`;
    return { error: new AppError('invalid_body', `${where} ${first?.message ?? 'is not valid'}.`) };
  };
}
