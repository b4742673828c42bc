import { type Dispatcher, Pool } from 'undici';
import { NodeError } from './node-error.ts';

/** One whole HTTP answer; `body` is the caller's to keep. */
export type HttpAnswer = { readonly status: number; readonly body: Uint8Array };

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};

export type ExchangeLimits = {
  /** From this call to the last byte of the answer, waiting for a free connection included. */
  readonly timeoutMs: number;
  /** An answer longer than this is cut off and refused. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
};

/** Connections kept alive to one node, with a bound on the requests that wait for one of them. */
export type HttpLane = {
  exchange(request: HttpRequest, limits: ExchangeLimits): Promise<HttpAnswer>;
  close(): Promise<void>;
};

/** Requests allowed to wait in one lane; more than this means that a caller runs without a limit. */
const MAX_WAITING = 4096;

/**
 * Opens a lane of at most `connections` sockets to `origin`, one request at a time on each.
 * Idle sockets are closed well before the node's own 30 s, so that none is found dead when it is used.
 */
export function openLane(origin: string, connections: number): HttpLane {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    connectTimeout: 5_000,
    // `exchange` has its own deadline over the whole answer, which also covers a body that trickles.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  let waiting = 0;

  return {
    async exchange(request, limits) {
      if (waiting >= MAX_WAITING) {
        throw new NodeError('busy', `More than ${MAX_WAITING} requests to the node are waiting already.`);
      }
      waiting += 1;
      try {
        return await exchange(pool, origin, request, limits);
      } finally {
        waiting -= 1;
      }
    },
    close: () => pool.destroy(),
  };
}

function exchange(
  pool: Dispatcher,
  origin: string,
  request: HttpRequest,
  limits: ExchangeLimits,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const { timeoutMs, maxBytes, signal } = limits;
  if (signal?.aborted) return Promise.reject(signal.reason);

  let controller: Dispatcher.DispatchController | undefined;
  let failure: Error | undefined;
  let status = 0;
  let body: Uint8Array | undefined;
  let chunks: Uint8Array[] = [];
  let received = 0;

  const timer = setTimeout(() => {
    fail(new NodeError('timeout', `The node at ${origin} gave no whole answer within ${timeoutMs} ms.`));
  }, timeoutMs);
  const onAbort = () => fail(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });

  function settle(): void {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }

  function fail(error: Error): void {
    if (failure) return;
    failure = error;
    settle();
    reject(error);
    controller?.abort(error);
  }

  pool.dispatch(
    {
      method: request.method,
      path: request.path,
      headers: request.headers ?? {},
      body: request.body ?? null,
      // One request at a time per socket anyway; `blocking` would only add bookkeeping.
      blocking: false,
    },
    {
      onRequestStart(started) {
        controller = started;
        if (failure) started.abort(failure);
      },
      onResponseStart(_, statusCode, headers) {
        status = statusCode;
        const length = Number(headers['content-length']);
        if (length > maxBytes) fail(tooLarge(origin, request, maxBytes));
        else if (length > 0) body = Buffer.allocUnsafeSlow(length);
      },
      onResponseData(_, chunk) {
        if (received + chunk.length > maxBytes) {
          fail(tooLarge(origin, request, maxBytes));
          return;
        }
        if (body) body.set(chunk, received);
        else chunks.push(chunk);
        received += chunk.length;
      },
      onResponseEnd() {
        settle();
        resolve({ status, body: body ?? Buffer.concat(chunks, received) });
        chunks = [];
      },
      onResponseError(_, error) {
        if (!failure) fail(fromTransport(origin, error));
      },
    },
  );
  return promise;
}

function tooLarge(origin: string, request: HttpRequest, maxBytes: number): NodeError {
  return new NodeError(
    'invalid_answer',
    `The node at ${origin} answered ${request.method} ${request.path} with more than ${maxBytes} bytes.`,
  );
}

function fromTransport(origin: string, error: Error): NodeError {
  const code = (error as { code?: unknown }).code;
  const name = typeof code === 'string' ? code : error.name;
  const isUnreadable =
    name === 'HTTPParserError' || name.startsWith('HPE_') || name.includes('CONTENT_LENGTH');
  if (isUnreadable || name === 'UND_ERR_HEADERS_OVERFLOW') {
    return new NodeError('invalid_answer', `What listens at ${origin} does not speak HTTP (${name}).`, {
      cause: error,
    });
  }
  return new NodeError('unreachable', `The node at ${origin} cannot be reached (${name}).`, { cause: error });
}
