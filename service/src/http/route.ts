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
import type { BlockRecord, ChainView, ReadChain } from '../chain-reads.ts';
import { AppError } from '../errors.ts';
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
  /** Schema of the body of a success. A text or binary body is `Type.String()` with `operation.contentType`. */
  response: R;
  /** Request units that one call costs. */
  cost?: number;
  errorFormat?: 'problem' | 'text';
  /** Writes the body where the schema's own serialisation will not do: numbers above 2^53. */
  encode?: (body: Static<R>) => string;
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
  const cacheControl = cacheControls[dependsOn];
  const contentType = route.operation.contentType ?? (route.encode && jsonContentType);

  app.get(
    route.path,
    describeRoute({ ...route, operation: { ...route.operation, snapshot: true } }),
    (request, reply) =>
      readChain(async (view) => {
        const { tip } = view;
        if (tip === undefined) throw notReady();
        const names = nameSnapshot(tip, view.mempool.version);
        reply
          .header('x-chain-height', names.height)
          .header('x-chain-tip', names.tip)
          .header('cache-control', cacheControl);
        if (tagName !== undefined) {
          reply.header('etag', names[tagName]);
          if (matchesEtag(request.headers['if-none-match'], names[tagName])) return notModified;
        }
        return route.read({
          params: request.params as Static<P>,
          query: request.query as Static<Q>,
          view,
          tip,
          keep: (policy) => reply.header('cache-control', cacheControls[policy]),
        });
      }).then(
        (body) => {
          if (body === notModified) return reply.code(304).send();
          if (contentType !== undefined) reply.type(contentType);
          return reply.send(body);
        },
        (error) => {
          // The validators belong to the success that did not come about.
          reply.removeHeader('etag').header('cache-control', cacheControls.none);
          return reply.send(error);
        },
      ),
  );
}

const jsonContentType = 'application/json; charset=utf-8';
const notModified = Symbol('not modified');

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
  call(input: CallInput<P, Q, Static<B>>): Promise<Static<R>> | Static<R>;
};

/** Registers a route that is not a read of one snapshot. */
export function registerCall<
  R extends TSchema,
  P extends TObject = NoParameters,
  Q extends TObject = NoParameters,
  B extends TSchema = TSchema,
>(app: FastifyInstance, route: CallRoute<P, Q, B, R>): void {
  const { contentType } = route.operation;
  app.route({
    method: route.method,
    url: route.path,
    ...describeRoute(route),
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    handler: async (request, reply) => {
      const body = await route.call({
        params: request.params as Static<P>,
        query: request.query as Static<Q>,
        body: request.body as Static<B>,
        request,
        reply,
      });
      reply.header('cache-control', cacheControls[route.cache]);
      if (contentType !== undefined) reply.type(contentType);
      return body;
    },
  });
}

function describeRoute<P extends TObject, Q extends TObject, R extends TSchema>(
  route: RouteShape<P, Q, R> & { body?: TSchema },
): { schema: FastifySchema; validatorCompiler: typeof compileValidator; config: FastifyContextConfig } {
  return {
    schema: {
      params: route.params ?? noParameters,
      querystring: route.query ?? noParameters,
      ...(route.body === undefined ? {} : { body: route.body }),
      response: { 200: route.response },
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
  const validator = Compile(schema as TSchema);
  return (body: unknown) => {
    if (validator.Check(body)) return true;
    const [first] = validator.Errors(body);
    const where = first === undefined || first.instancePath === '' ? 'The body' : `"${first.instancePath}"`;
    return { error: new AppError('invalid_body', `${where} ${first?.message ?? 'is not valid'}.`) };
  };
}
