/**
 * How reads of the chain are registered. One place applies validation, snapshot headers, ETag and caching, so that a route
 * is its schemas and one function.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { BlockRecord, ChainView, PresentSnapshot, ReadChain } from '../chain/chain-reads.ts';
import { AppError } from '../errors.ts';
import type { WrittenBody } from './body-cache.ts';
import { readCharged } from './charged-read.ts';
import { variesByCoding } from './compressed-answers.ts';
import { isStreamed, type StreamedText } from './large-answers.ts';
import { isNamed } from './revalidation.ts';
import {
  describeRoute,
  jsonContentType,
  type NoParameters,
  noParameters,
  type RouteShape,
} from './route-shape.ts';
import { unitsToReserve } from './row-cost.ts';
import {
  type CachePolicy,
  cacheControls,
  type Dependence,
  matchesEtag,
  nameText,
  type SnapshotNames,
} from './snapshot.ts';

/** What reading routes need: a view of the chain, and names for it. */
export type ReadDependencies = {
  readChain: ReadChain;
  nameSnapshot: (tip: { height: number; hash: Uint8Array }, mempoolVersion: number) => SnapshotNames;
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
  /** Charges the client for bytes that were read for it, where these are not what it is sent. */
  charge(bytes: number): void;
  /** Says how many rows there are to answer, where the cost of the route hangs on them. */
  countRows(rows: number): void;
};

/** A GET that is answered from one snapshot of the chain. */
export type ReadRoute<P extends TObject, Q extends TObject, R extends TSchema> = RouteShape<P, Q, R> & {
  dependsOn: Dependence;
  /** How long it may be kept, where that is not what follows from its dependence: sums that nobody looks for himself in. */
  cache?: CachePolicy;
} & (
    | {
        /** Gives the body: a value, bytes, or JSON in pieces where its size has no bound. */
        read(input: ReadInput<P, Q>): Promise<Static<R> | Buffer | StreamedText>;
        tell?: never;
      }
    | {
        /** Gives the body where it takes no more than what is known of the present snapshot: mostly none is opened then. */
        tell(present: PresentSnapshot): Static<R>;
        read?: never;
      }
  );

/** Registers a read of the chain. */
export function registerRead<
  R extends TSchema,
  P extends TObject = NoParameters,
  Q extends TObject = NoParameters,
>(app: FastifyInstance, { readChain, nameSnapshot }: ReadDependencies, route: ReadRoute<P, Q, R>): void {
  const { dependsOn, cache = dependsOn } = route;
  const isDear = unitsToReserve(route.cost ?? 1) > 1;
  const tagName = tagNames[dependsOn];
  const contentType = route.operation.contentType ?? jsonContentType;
  const written = dependsOn === 'volatile' ? undefined : app.writtenBodies[dependsOn];
  if (contentType === jsonContentType)
    app.batchReads.add({
      pattern: app.prefix + route.path,
      cost: route.cost ?? 1,
      params: route.params ?? noParameters,
      query: route.query ?? noParameters,
      async run(input, params, query) {
        if (route.tell !== undefined) return route.tell({ tip: input.tip, mempool: input.view.mempool });
        return await route.read({
          ...input,
          params: params as Static<P>,
          query: query as Static<Q>,
          keep: () => {},
        });
      },
    });

  /** What needs no work: the client has the answer, or it was written before. */
  const answerKept = (
    request: FastifyRequest,
    reply: FastifyReply,
    { tip, mempool }: PresentSnapshot,
  ): Answer => {
    const names = nameSnapshot(tip, mempool.version);
    reply.header('x-chain-height', names.height).header('x-chain-tip', names.tip);
    const tag = tagName && names[tagName];
    if (tag === undefined) return {};
    reply.header('etag', tag);
    if (matchesEtag(request.headers['if-none-match'], tag)) return { tag, notModified: true };
    return { tag, known: written?.find(tag, request.raw.url ?? '') };
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    if ((tagName !== undefined || route.tell !== undefined) && readChain.peek !== undefined) {
      // A database that does not answer is told of by the read.
      const present = await readChain.peek().catch(() => undefined);
      const kept = present && answerKept(request, reply, present);
      if (kept?.notModified || kept?.known) return kept;
      if (present !== undefined && route.tell !== undefined) return { ...kept, body: route.tell(present) };
    }
    // Dear reads come one after another, with what is cheap between them.
    if (isDear) await app.takeTurn();
    return await readCharged(app, request, readChain, async (view, charge): Promise<Answer> => {
      const { tip } = view;
      if (tip === undefined) throw notReady();
      const present = { tip, mempool: view.mempool };
      const kept = answerKept(request, reply, present);
      if (kept.notModified || kept.known) return kept;
      if (route.tell !== undefined) return { ...kept, body: route.tell(present) };
      let policy: CachePolicy = cache;
      const body = await route.read({
        params: request.params as Static<P>,
        query: request.query as Static<Q>,
        view,
        tip,
        keep: (longer) => {
          policy = longer;
        },
        charge,
        countRows: (rows) => {
          request.rows = rows;
        },
      });
      return { ...kept, body, policy };
    });
  };

  const respond = (
    request: FastifyRequest,
    reply: FastifyReply,
    { tag, notModified, known, body, policy = cache }: Answer,
  ): void | Promise<void> => {
    const cacheControl = cacheControls[policy];
    const answerNotModified = (): void => {
      variesByCoding(reply);
      reply.code(304).header('cache-control', cacheControl).send();
    };
    if (notModified || (tag !== undefined && request.headers['if-none-match'] === '*'))
      return answerNotModified();
    if (known !== undefined) return sendWritten(app, request, reply, known);
    if (Buffer.isBuffer(body)) {
      reply.header('cache-control', cacheControl).type(contentType).send(body);
      return;
    }
    if (isStreamed(body)) {
      reply.header('cache-control', cacheControl).type(contentType);
      app.largeAnswers.send(request, reply, body);
      return;
    }
    const text = contentType === jsonContentType ? reply.serialize(body as object) : String(body);
    const answered = { text: text as string, contentType, cacheControl, forms: new Map() };
    if (tag !== undefined) written?.put(tag, request.raw.url ?? '', answered);
    else if (isNamed(request, reply, nameText(answered.text))) return answerNotModified();
    return sendWritten(app, request, reply, answered);
  };

  app.get(
    route.path,
    describeRoute({
      ...route,
      operation: { ...route.operation, snapshot: true, revalidates: dependsOn === 'volatile' },
    }),
    // Nothing is given to Fastify: of a reply it would wait for the end by listeners on the response, which every answer would pay for.
    (request, reply) => {
      answer(request, reply)
        .then((found) => respond(request, reply, found))
        .catch((error) => failRead(reply, error));
    },
  );
}

/** What a read comes to. */
type Answer = {
  tag?: string;
  notModified?: boolean;
  known?: WrittenBody | undefined;
  body?: unknown;
  policy?: CachePolicy;
};

function failRead(reply: FastifyReply, error: unknown): void {
  // The validators belong to the success that did not come about.
  reply.removeHeader('etag').header('cache-control', cacheControls.none);
  reply.send(error);
}

function sendWritten(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { text, contentType, cacheControl, forms }: WrittenBody,
): void | Promise<void> {
  reply.header('cache-control', cacheControl).type(contentType);
  return app.compressedAnswers.send(request, reply, text, forms);
}

const tagNames = { tip: 'tipTag', mempool: 'mempoolTag', volatile: undefined } as const;

/** Of reads before any block is indexed. */
export function notReady(): AppError {
  return new AppError('not_ready', 'No block is indexed yet. See /api/v1/health.', { 'retry-after': '5' });
}
