/** The public HTTP server: limits, refusal of keys, headers, errors, metrics and log around the routes of the parts. */

import { readFileSync } from 'node:fs';
import type { ServerOptions as HttpOptions } from 'node:http';
import type { ServerOptions as HttpsOptions } from 'node:https';
import { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createProxyCheck, parseClient } from '../clients/client.ts';
import { AppError } from '../errors.ts';
import { type Admission, createAdmission, mustClose } from './admission.ts';
import { createMethodIndex } from './allowed-methods.ts';
import { type AnswerPlaces, createAnswerPlaces, maxBatches } from './answer-places.ts';
import { type BatchReads, createBatchReads } from './batch-reads.ts';
import { type BodyCache, createBodyCache } from './body-cache.ts';
import { answerBare, answerClientError, answerOnSocket } from './client-errors.ts';
import { buildCommonHeaders } from './common-headers.ts';
import { type CompressedAnswers, createCompressedAnswers } from './compressed-answers.ts';
import { boundConnections, maxConnections } from './connections.ts';
import { drainBody } from './drain-body.ts';
import { createEndOfTurn } from './end-of-turn.ts';
import { createFairTurns } from './fair-turns.ts';
import { createForwardedCounter } from './forwarded-counter.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { createLargeAnswers, type LargeAnswers } from './large-answers.ts';
import { createLargeReads, type LargeReads } from './large-reads.ts';
import { listLoadMetrics } from './load-metrics.ts';
import type { LabelledSource } from './metrics-server.ts';
import { serveOneAtATime } from './one-at-a-time.ts';
import type { Page } from './operation.ts';
import { createPathAliases, type PathAliases } from './path-aliases.ts';
import { createKeyGuard, type FindPrivateKey, type KeyGuard } from './private-keys.ts';
import { toAppError, writeError } from './problem.ts';
import { parseQuery } from './query-string.ts';
import {
  type BodyReader,
  createBodyReader,
  defaultBodyLimit,
  looseCheckLength,
  registerJsonBodies,
} from './read-body.ts';
import { createRefusalCounter } from './refusal-counter.ts';
import { collectRoutes, type RouteList } from './route-list.ts';
import { jsonContentType } from './route-shape.ts';
import { unitsOfRows, unitsToReserve } from './row-cost.ts';
import { parseStrictJson } from './strict-json.ts';
import { createTextErrors, type TextErrors } from './text-errors.ts';
import { createTurns, type TakeTurn } from './turns.ts';
import { registerUnrouted } from './unrouted.ts';
import { createUnsentBytes } from './unsent-bytes.ts';

export type ServerOptions = {
  logger: Logger;
  metrics: HttpMetrics;
  findPrivateKey: FindPrivateKey;
  corsOrigins: '*' | readonly string[];
  /** Units a minute for one client; undefined means no limit. */
  rateLimitPerMinute: number | undefined;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  tls?: { certFile: string; keyFile: string } | undefined;
  /** What clients call this service, when they come through a proxy. */
  publicUrl?: string | undefined;
  /** The page for an error on a path that has none of its own, where a person asked for a page; undefined for programs. */
  renderError?: ((error: AppError, request: FastifyRequest) => Page | undefined) | undefined;
  /** Where a page is whose path was written in another way; undefined where there is none. */
  findSpelling?: ((url: string) => string | undefined) | undefined;
  /** Characters of written bodies that are kept, half of them for bodies that show the mempool; 32 Mi unless given. */
  keptBodiesLength?: number | undefined;
  /** Bytes of answers that may wait for their clients to read, in all; 128 MiB unless given. */
  unsentBytes?: number | undefined;
  timeouts?: Partial<Timeouts>;
};

/** Time limits of connections, milliseconds. */
export type Timeouts = {
  headersMs: number;
  requestMs: number;
  keepAliveMs: number;
  /** Without a byte in either direction: above all for clients that do not read what they asked for. */
  stallMs: number;
  checkEveryMs: number;
};

const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 20_000,
  keepAliveMs: 65_000,
  // Longer than any answer takes to begin: a broadcast waits 30 s for the node.
  stallMs: 60_000,
  checkEveryMs: 1_000,
};

const defaultKeptBodiesLength = 33_554_432;
const defaultUnsentBytes = 134_217_728;
/** Characters of one part of a path: a descriptor with three keys fits. Routes have bounds of their own below it. */
export const maxParamLength = 1_024;
/** Pause between two looks for idle connections while the server stops, milliseconds. */
const SWEEP_MS = 50;
/** Requests above this are logged as slow, milliseconds. */
const slowMs = 1_000;

/** The server; `routes` lists what was registered, for the OpenAPI documents. */
export type HttpServer = {
  app: FastifyInstance;
  routes: RouteList;
  /** For parts that read bodies other than JSON. */
  bodies: BodyReader;
  /** For `/metrics`. */
  refusals: readonly LabelledSource[];
  /** Its queues, caches and what they hold, for `/metrics`. */
  loads: readonly LabelledSource[];
  /** See {@link Admission}. */
  shareSpending: Admission['share'];
};

declare module 'fastify' {
  interface FastifyInstance {
    largeAnswers: LargeAnswers;
    largeReads: LargeReads;
    compressedAnswers: CompressedAnswers;
    /** For work that may take long: one a turn of the event loop. */
    takeTurn: TakeTurn;
    textErrors: TextErrors;
    pathAliases: PathAliases;
    admission: Admission;
    /** For texts that the looks at URL and body do not see as they are meant. */
    keyGuard: KeyGuard;
    /** Reads that can be asked for together, and the places of requests that do. */
    batchReads: BatchReads;
    batchPlaces: AnswerPlaces;
    /** Bodies written for the present snapshot, by what they depend on. */
    writtenBodies: Record<'tip' | 'mempool', BodyCache>;
  }
  interface FastifyRequest {
    startedAtMs: number;
    /** Whether its units were taken from its client's budget. */
    hasPaid: boolean;
    /** Rows that its answer has, where its cost hangs on them. */
    rows: number;
    /** Whether the body is yet to be looked through for keys. */
    isBodyUnchecked: boolean;
    /** A short JSON body as it came, for what is lost when it is parsed: digits of numbers. */
    jsonText: string;
  }
}

/**
 * Creates the server without listening; parts register their routes on `app`.
 *
 * Successful requests are not logged: at tens of thousands a second the log would cost more than the answers.
 * What is logged: answers of 400 and above, and slow ones - with the route's pattern, never with a URL.
 */
export function createServer(options: ServerOptions): HttpServer {
  const { logger, metrics, tls } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const nextRequestId = createRequestIds();
  const textErrors = createTextErrors();
  const pathAliases = createPathAliases();
  const isProxy = createProxyCheck(options.trustedProxies);
  const app = Fastify({
    logger: false,
    genReqId: nextRequestId,
    trustProxy: options.trustedProxies.length === 0 ? false : isProxy,
    bodyLimit: defaultBodyLimit,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.stallMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    forceCloseConnections: 'idle',
    rewriteUrl: ({ url = '' }) => pathAliases.resolve(url),
    return503OnClosing: false,
    routerOptions: { maxParamLength, querystringParser: parseQuery },
    frameworkErrors: (error, request, reply) => {
      failAfterAdmission(error, request, reply as FastifyReply);
    },
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket as Socket, nextRequestId(), textErrors),
    ...listenerOptions(timeouts, tls),
  }) as FastifyInstance;
  app.server.maxConnections = maxConnections.inAll;
  const closed = createRefusalCounter({
    name: 'coinfront_connections_refused_total',
    help: 'Connections beyond the share of a client or of a network around it, by which one it was.',
  });
  if (options.rateLimitPerMinute !== undefined) boundConnections(app.server, isProxy, closed.count);
  const forwarded = createForwardedCounter(isProxy);
  serveOneAtATime(app.server);
  app.server.on('checkExpectation', ({ url }, response) => {
    const error = new AppError('expectation_failed', 'No expectation but 100-continue is met.');
    answerBare(response, error, nextRequestId(), textErrors.covers(url));
  });
  app.server.on('connect', (_, socket) => {
    const error = new AppError('method_not_allowed', 'This is no proxy: CONNECT is not answered.');
    answerOnSocket(socket as Socket, error, nextRequestId());
  });
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('hasPaid', false);
  app.decorateRequest('rows', 0);
  const { keptBodiesLength = defaultKeptBodiesLength } = options;
  app.decorate('writtenBodies', {
    tip: createBodyCache(keptBodiesLength / 2),
    mempool: createBodyCache(keptBodiesLength / 2),
  });
  // Measured: the engine's own JSON.stringify gives a flat string, ready to be sent, in less time than a serialiser
  // made from the schema takes to put one together. Tests hold every response to its schema.
  app.setSerializerCompiler(() => JSON.stringify);

  const secure = tls !== undefined || options.publicUrl?.startsWith('https:') === true;
  const { fixed, findOrigin } = buildCommonHeaders({ corsOrigins: options.corsOrigins, secure });
  const keys = createKeyGuard(options.findPrivateKey);
  const admission = createAdmission(keys, options.rateLimitPerMinute);
  const takeTurn = createTurns();
  app.decorate('takeTurn', takeTurn);
  app.decorate('textErrors', textErrors);
  app.decorate('pathAliases', pathAliases);
  app.decorate('admission', admission);
  app.decorate('keyGuard', keys);
  app.decorate('batchReads', createBatchReads());
  app.decorate('batchPlaces', createAnswerPlaces(maxBatches, 'batches of reads'));
  app.decorate('compressedAnswers', createCompressedAnswers());
  app.decorate('largeReads', createLargeReads(takeTurn));
  app.decorate('largeAnswers', createLargeAnswers(admission, takeTurn, logger));
  const bodies = createBodyReader(keys, admission, takeTurn, parseStrictJson(app));
  registerJsonBodies(app, bodies);
  const atEndOfTurn = createEndOfTurn();
  const unsent = createUnsentBytes(options.unsentBytes ?? defaultUnsentBytes, (bytes, unreadMs) => {
    logger.warn(
      { bytes, unread_ms: Math.round(unreadMs) },
      'connection cut: too much is held that nobody reads',
    );
  });
  const methods = createMethodIndex();
  const routes = collectRoutes(app);

  /** Everything that is decided before a request is read. */
  function admit(request: FastifyRequest, reply: FastifyReply, cost: number, bodyLimit?: number): void {
    request.startedAtMs = performance.now();
    forwarded.count(request.raw);
    for (const [name, value] of fixed) reply.header(name, value);
    const origin = findOrigin(request.headers.origin);
    if (origin !== undefined) reply.header('access-control-allow-origin', origin);
    admission.admit(request, reply, cost, bodyLimit);
  }

  function fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = toAppError(thrown);
    const config = request.routeOptions.config;
    const entry = { request_id: request.id, code: error.code, status: error.status, method: request.method };
    const about = { ...entry, route: request.routeOptions.url };
    // An error of our own says all there is to say; what was not foreseen needs its stack, and somebody to look.
    if (error.status >= 500 && error !== thrown) logger.error({ ...about, err: thrown }, 'request failed');
    else logger.info(about, 'request refused');
    reply.code(error.status).header('cache-control', 'no-store').header('x-request-id', request.id);
    // What was to be kept as a file did not come about.
    reply.removeHeader('content-disposition');
    for (const [name, value] of Object.entries(error.headers)) reply.header(name, value);
    if (mustClose(request)) reply.header('connection', 'close');
    if (config?.writeError) {
      const { status, json } = config.writeError(error);
      return reply.code(status).type(jsonContentType).serializer(String).send(JSON.stringify(json));
    }
    const page = config?.renderError
      ? config.renderError(error, request)
      : config?.operation === undefined
        ? options.renderError?.(error, request)
        : undefined;
    if (page !== undefined) {
      return reply.headers(page.headers).type('text/html; charset=utf-8').serializer(String).send(page.html);
    }
    const asText = textErrors.covers(request.routeOptions.url ?? request.raw.url);
    const { contentType, body } = writeError(error, request.id, asText);
    return reply.type(contentType).serializer(String).send(body);
  }

  /** For requests that never reach a route: they are counted and given the same headers. */
  function failAfterAdmission(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    try {
      admit(request, reply, 1);
      fail(thrown, request, reply);
    } catch (refusal) {
      fail(refusal, request, reply);
    }
  }

  const beginFairly = createFairTurns();
  app.addHook('onRequest', (request, _, done) => {
    const { socket } = request;
    const ip: string | undefined = request.ip;
    // Its client has left, here or while it waited: nobody gets an answer. Who resets a connection at once has no address.
    if (ip === undefined) socket.destroy();
    if (ip === undefined || socket.destroyed) return;
    beginFairly(
      () => parseClient(ip),
      () => {
        if (!socket.destroyed) done();
      },
    );
  });
  app.addHook('onRoute', (route) => {
    const method = String(route.method);
    methods.add(method, route.url);
    const observe = metrics.forRoute(method, route.url);
    const cost = route.config?.cost ?? 1;
    const reserved = unitsToReserve(cost);
    const bodyLimit = route.bodyLimit ?? defaultBodyLimit;
    const admitRoute = (
      request: FastifyRequest,
      reply: FastifyReply,
      done: (error?: Error) => void,
    ): void => {
      try {
        admit(request, reply, reserved, bodyLimit);
      } catch (error) {
        done(error as Error);
        return;
      }
      done();
    };
    const finish = (
      request: FastifyRequest,
      reply: FastifyReply,
      payload: unknown,
      done: () => void,
    ): void => {
      const bytes = lengthOf(payload);
      if (reserved > 0) admission.chargeBytes(request, bytes);
      if (request.socket instanceof Socket) unsent.note(request.socket, bytes);
      if (typeof cost !== 'number')
        admission.settle(request, reply, reserved, unitsOfRows(cost, request.rows));
      const elapsedMs = performance.now() - request.startedAtMs;
      observe(reply.statusCode, elapsedMs / 1000);
      if (elapsedMs > slowMs)
        logger.warn({ request_id: request.id, method, route: route.url, elapsedMs }, 'slow request');
      atEndOfTurn(done);
    };
    route.onRequest = [admitRoute, ...[route.onRequest ?? []].flat()];
    route.onSend = [...[route.onSend ?? []].flat(), finish];
    if (bodyLimit > looseCheckLength) {
      const check = async (request: FastifyRequest): Promise<void> => bodies.checkShaped(request);
      route.preHandler = [check, ...[route.preHandler ?? []].flat()];
    }
  });

  app.setErrorHandler(async (error: { code?: unknown }, request, reply) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') await drainBody(request.raw);
    return fail(error, request, reply);
  });
  registerUnrouted(app, methods, {
    admit: (request, reply) => admit(request, reply, 1),
    findSpelling: options.findSpelling,
  });

  return {
    app,
    routes,
    bodies,
    refusals: [admission.refusals, closed.source],
    loads: [
      forwarded.source,
      ...listLoadMetrics({
        queues: () => {
          const { public: large, account } = app.largeAnswers.load();
          return {
            large_reads: app.largeReads.load(),
            large_answers: large,
            account_answers: account,
            batches: app.batchPlaces.load(),
            compression: app.compressedAnswers.load(),
          };
        },
        caches: () => ({
          bodies_tip: app.writtenBodies.tip.load(),
          bodies_mempool: app.writtenBodies.mempool.load(),
        }),
        unsentBytes: unsent.held,
      }),
    ],
    shareSpending: admission.share,
  };
}

/** Options of Node's own server, plain or with certificates. */
function listenerOptions(
  timeouts: Timeouts,
  tls: ServerOptions['tls'],
): { http?: HttpOptions; https?: HttpsOptions } {
  const common = {
    connectionsCheckingInterval: timeouts.checkEveryMs,
    headersTimeout: timeouts.headersMs,
    maxHeaderSize: 16_384,
    // `checkHost` does it, with an answer that says why.
    requireHostHeader: false,
  };
  if (tls === undefined) return { http: common };
  const [cert, key] = [readFileSync(tls.certFile), readFileSync(tls.keyFile)];
  return { https: { ...common, handshakeTimeout: timeouts.headersMs, cert, key } };
}

/** Stops accepting, finishes what is under way, and closes what is left after `deadlineMs`. */
export async function stopServer({ app }: HttpServer, deadlineMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), deadlineMs);
  // Closing ends the connections that are idle then; those that become so with their last answer are looked for.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
    clearInterval(sweep);
  }
}

/** Bytes of an answer that is whole; a stream charges for itself. */
function lengthOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
}

/** Short ids, unique in one run of the process and practically unique across runs. */
function createRequestIds(): () => string {
  const run = Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  let last = 0;
  return () => {
    last += 1;
    return `${run}-${last.toString(36)}`;
  };
}
