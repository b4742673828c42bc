/**
 * HTTP requests to addresses that others choose.
 *
 * Each request has a connection of its own: where it leads is checked every time, and nothing is kept open for anybody.
 * Redirects are not followed, and an answer is bounded in time, in size and in what is kept of it.
 */

import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { AllowList } from './allow-list.ts';
import { checkOutboundUrl, hostOf } from './check-url.ts';
import { type GuardOptions, openGuardedSocket } from './guarded-connect.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';

export type OutboundRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
};

/** What is kept of an answer. */
export type OutboundAnswer = { status: number; retryAfter: string | undefined };

/** An answer that was read whole. */
export type OutboundBody = { status: number; body: Buffer };

export type OutboundClient = {
  /** @throws OutboundError when there is no answer */
  post(request: OutboundRequest): Promise<OutboundAnswer>;
  /** A POST whose answer is read. @throws OutboundError when there is none, or it is larger than is read */
  ask(request: OutboundRequest): Promise<OutboundBody>;
  /** @throws OutboundError when there is no answer, or it is larger than is read */
  get(request: Omit<OutboundRequest, 'body'>): Promise<OutboundBody>;
  /** Cuts off what is under way. */
  close(): void;
};

export type OutboundLimits = {
  /** Look-up of the name, connection and TLS handshake together. */
  connectTimeoutMs: number;
  /** From the call to the end of the answer. */
  totalTimeoutMs: number;
  /** Bytes of the answer's body that are read before the connection is cut. */
  maxBodyBytes: number;
  maxHeaderBytes: number;
  /** Bytes that are taken from the connection at all, whatever they are. */
  maxWireBytes: number;
};

export type OutboundOptions = {
  allow: AllowList;
  limits?: Partial<OutboundLimits>;
  /** Asks the system's name servers unless given. */
  resolve?: ResolveHost;
  ca?: GuardOptions['ca'];
};

const defaultLimits: OutboundLimits = {
  connectTimeoutMs: 5_000,
  totalTimeoutMs: 15_000,
  maxBodyBytes: 4_096,
  maxHeaderBytes: 8_192,
  maxWireBytes: 262_144,
};
/** How often the bytes of a connection are counted: chunk extensions and interim answers are never reported. */
const COUNT_EVERY_MS = 50;

/** Creates the client. */
export function createOutboundClient(options: OutboundOptions): OutboundClient {
  const limits = { ...defaultLimits, ...options.limits };
  const guard: GuardOptions = {
    allow: options.allow,
    resolve: options.resolve ?? resolveHost,
    connectTimeoutMs: limits.connectTimeoutMs,
    ca: options.ca,
  };
  const underWay = new Set<(error: Error) => void>();
  const read = async (
    request: Omit<OutboundRequest, 'body'> & { body?: Uint8Array },
  ): Promise<OutboundBody> => {
    const checked = checkOutboundUrl(request.url, options.allow);
    if (!checked.ok) throw new OutboundError(`The URL ${checked.reason}.`);
    const kept: Buffer[] = [];
    const { status } = await exchange(new URL(checked.value), request, guard, limits, underWay, kept);
    return { status, body: Buffer.concat(kept) };
  };
  return {
    async post(request) {
      const checked = checkOutboundUrl(request.url, options.allow);
      if (!checked.ok) throw new OutboundError(`The URL ${checked.reason}.`);
      return await exchange(new URL(checked.value), request, guard, limits, underWay);
    },
    ask: read,
    get: read,
    close() {
      for (const cut of underWay) cut(new OutboundError('The request was cut off.'));
    },
  };
}

async function exchange(
  url: URL,
  { headers, body }: Omit<OutboundRequest, 'body'> & { body?: Uint8Array },
  guard: GuardOptions,
  limits: OutboundLimits,
  underWay: Set<(error: Error) => void>,
  /** Takes the body of the answer, which then has to come whole. */
  kept?: Buffer[],
): Promise<OutboundAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>();
  const secure = url.protocol === 'https:';
  let socket: Socket | undefined;
  let answer: OutboundAnswer | undefined;
  let received = 0;

  const client = new Client(url.origin, {
    connect: (_, done) => {
      const port = Number(url.port) || (secure ? 443 : 80);
      openGuardedSocket({ secure, host: hostOf(url), port }, guard).then(
        (opened) => {
          socket = opened;
          done(null, opened);
        },
        (error: Error) => done(error, null),
      );
    },
    // No connection is kept, and the timers below cover the whole answer.
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.maxHeaderBytes,
  });
  /** The status decides: a body that is too long, or does not end, changes nothing about it. */
  const end = (error: unknown): void => {
    if (answer === undefined || (kept !== undefined && error !== undefined)) reject(toOutboundError(error));
    else resolve(answer);
  };
  const timer = setTimeout(
    () => end(new OutboundError(`There was no answer within ${limits.totalTimeoutMs / 1000} s.`)),
    limits.totalTimeoutMs,
  );
  const counter = setInterval(() => {
    if ((socket?.bytesRead ?? 0) > limits.maxWireBytes) end(new OutboundError('The answer is too large.'));
  }, COUNT_EVERY_MS);
  underWay.add(end);

  const handler: Dispatcher.DispatchHandler = {
    // undici takes a handler for one of its present kind by this method.
    onRequestStart() {},
    onResponseStart(_, status, answered) {
      if (status < 200) return;
      const retryAfter = answered['retry-after'];
      answer = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined };
    },
    onResponseData(_, chunk) {
      received += chunk.length;
      if (received <= limits.maxBodyBytes) kept?.push(Buffer.from(chunk));
      else end(kept && new OutboundError('The answer is too large.'));
    },
    onResponseEnd: () => end(undefined),
    onResponseError: (_, error) => end(error),
  };
  try {
    client.dispatch(
      {
        method: body === undefined ? 'GET' : 'POST',
        path: url.pathname + url.search,
        headers: { ...headers },
        ...(body === undefined ? {} : { body }),
      },
      handler,
    );
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(counter);
    underWay.delete(end);
    socket?.destroy();
    void client.destroy().catch(() => {});
  }
}
