import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isMethodRefused, NodeError } from './node-error.ts';
import { type HttpAnswer, type HttpLane, openLane } from './node-http.ts';
import { readBatch, readSingle } from './rpc-envelope.ts';

export type CallOptions = {
  /** Whole time allowed, retries of a busy node included. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True for a call that the node holds open on purpose; it travels on sockets of its own. */
  readonly longPoll?: boolean | undefined;
};

export type RpcCall = { readonly method: string; readonly params?: readonly unknown[] };

export type BatchAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: NodeError };

/** Speaks to one coin node. Every method throws {@link NodeError}, or the signal's reason when aborted. */
export type NodeClient = {
  /** Scheme, host and port of the node, without credentials: fit for messages. */
  readonly origin: string;
  /** One JSON-RPC call. */
  call<T>(method: string, params?: readonly unknown[], options?: CallOptions): Promise<T>;
  /** The same, but every JSON number of the result is its exact source text: amounts never become floats. */
  callText<T>(method: string, params?: readonly unknown[], options?: CallOptions): Promise<T>;
  /** Many calls in few requests, answered in order; an error of one call is a value. */
  batch(calls: readonly RpcCall[], options?: CallOptions): Promise<BatchAnswer[]>;
  /** A GET of the node's REST interface, on sockets apart from the RPC. No credentials are sent. */
  get(path: string, options?: CallOptions): Promise<HttpAnswer>;
  /** Closes every socket; calls under way fail as `unreachable`. */
  close(): Promise<void>;
};

export type NodeClientOptions = {
  /** `http://user:pass@host:port`; credentials may be absent when `cookieFile` is given. */
  readonly url: string;
  /** The node's `.cookie` file; read at the first call and again when the node answers 401. */
  readonly cookieFile?: string | undefined;
  /** Default for each call; 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Sockets for RPC, and as many again for REST; 6. Core queues 16 requests by default. */
  readonly maxConnections?: number | undefined;
  /** Largest answer accepted; 64 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** Called for each call that the node refused because of its method. */
  readonly onRefused?: (() => void) | undefined;
};

const CALLS_PER_REQUEST = 500;
/** Two seconds in all: as long as a node may take for a large block. */
const BUSY_RETRIES = 8;
const LONGEST_BUSY_PAUSE_MS = 500;

/**
 * Makes a client of the node's JSON-RPC and REST interfaces on kept-alive sockets.
 *
 * @throws TypeError when `url` is not an http or https URL.
 */
export function createNodeClient(options: NodeClientOptions): NodeClient {
  const url = parseUrl(options.url);
  const maxConnections = options.maxConnections ?? 6;
  const maxBytes = options.maxAnswerBytes ?? 64 * 1024 * 1024;
  const defaultTimeoutMs = options.timeoutMs ?? 30_000;
  const rpcLane = openLane(url.origin, maxConnections);
  const restLane = openLane(url.origin, maxConnections);
  const longPollLane = openLane(url.origin, 2);
  const credentials = createCredentials(url, options.cookieFile);
  let lastId = 0;

  async function post(body: string, call: CallOptions): Promise<HttpAnswer> {
    const deadline = performance.now() + (call.timeoutMs ?? defaultTimeoutMs);
    const lane: HttpLane = call.longPoll ? longPollLane : rpcLane;
    const request = async (): Promise<HttpAnswer> =>
      lane.exchange(
        {
          method: 'POST',
          path: url.pathname,
          headers: { 'content-type': 'application/json', authorization: await credentials.read() },
          body,
        },
        { timeoutMs: Math.max(1, deadline - performance.now()), maxBytes, signal: call.signal },
      );

    const answer = await retryWhileBusy(request, deadline, call.signal);
    if (answer.status !== 401 || !(await credentials.refresh())) return answer;
    return retryWhileBusy(request, deadline, call.signal);
  }

  async function callOnce(
    method: string,
    params: readonly unknown[],
    call: CallOptions,
    exactNumbers: boolean,
  ): Promise<unknown> {
    const id = ++lastId;
    const answer = await post(JSON.stringify({ jsonrpc: '1.0', id, method, params }), call);
    return readSingle(answer, { id, label: `${method} at ${url.origin}`, exactNumbers });
  }

  /** Passes on what a request gives, and tells of refused methods. */
  async function watchRefusals<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (error) {
      if (isMethodRefused(error)) options.onRefused?.();
      throw error;
    }
  }

  return {
    origin: url.origin,
    call: <T>(method: string, params: readonly unknown[] = [], call: CallOptions = {}) =>
      watchRefusals(callOnce(method, params, call, false) as Promise<T>),
    callText: <T>(method: string, params: readonly unknown[] = [], call: CallOptions = {}) =>
      watchRefusals(callOnce(method, params, call, true) as Promise<T>),

    async batch(calls, call = {}) {
      const answers: BatchAnswer[] = [];
      for (let start = 0; start < calls.length; start += CALLS_PER_REQUEST) {
        const part = calls.slice(start, start + CALLS_PER_REQUEST);
        const firstId = lastId + 1;
        lastId += part.length;
        const body = part.map(({ method, params = [] }, index) => ({
          jsonrpc: '1.0',
          id: firstId + index,
          method,
          params,
        }));
        const answer = await post(JSON.stringify(body), call);
        answers.push(
          ...readBatch(answer, { firstId, count: part.length, label: `a batch at ${url.origin}` }),
        );
      }
      return answers;
    },

    get(path, call = {}) {
      const deadline = performance.now() + (call.timeoutMs ?? defaultTimeoutMs);
      const request = () =>
        restLane.exchange(
          { method: 'GET', path },
          { timeoutMs: Math.max(1, deadline - performance.now()), maxBytes, signal: call.signal },
        );
      return retryWhileBusy(request, deadline, call.signal);
    },

    async close() {
      await Promise.all([rpcLane.close(), restLane.close(), longPollLane.close()]);
    },
  };
}

/** Core answers 500 or 503 with this text when its work queue is full; the call was not executed. */
function isBusy(answer: HttpAnswer): boolean {
  if (answer.status !== 500 && answer.status !== 503) return false;
  return Buffer.from(answer.body.subarray(0, 200)).toString('latin1').includes('Work queue depth exceeded');
}

async function retryWhileBusy(
  request: () => Promise<HttpAnswer>,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await request();
    if (!isBusy(answer)) return answer;
    // Those who were turned away together do not come back together.
    const pauseMs = Math.min(LONGEST_BUSY_PAUSE_MS, 20 * 2 ** attempt) * (0.5 + Math.random());
    if (attempt >= BUSY_RETRIES || performance.now() + pauseMs > deadline) {
      throw new NodeError('busy', "The node's work queue is full. Raise its -rpcworkqueue and -rpcthreads.");
    }
    await delay(pauseMs, undefined, signal ? { signal } : {});
  }
}

type Credentials = {
  /** The value of the Authorization header. */
  read(): Promise<string>;
  /** Reads the cookie file again; false when there is nothing new to try. */
  refresh(): Promise<boolean>;
};

function createCredentials(url: URL, cookieFile: string | undefined): Credentials {
  if (cookieFile === undefined) {
    const header = basic(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
    return { read: async () => header, refresh: async () => false };
  }
  let header: string | undefined;

  async function load(file: string): Promise<string> {
    try {
      return basic((await readFile(file, 'utf8')).trim());
    } catch (cause) {
      // The node writes the file when it starts and removes it when it stops.
      throw new NodeError(
        'unreachable',
        `The node's cookie file ${file} cannot be read. Is the node running?`,
        {
          cause,
        },
      );
    }
  }

  return {
    async read() {
      header ??= await load(cookieFile);
      return header;
    },
    async refresh() {
      const previous = header;
      header = await load(cookieFile);
      return header !== previous;
    },
  };
}

function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword, 'utf8').toString('base64')}`;
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // The text itself may hold a password, so it is not repeated.
    throw new TypeError('The node URL must look like http://user:password@host:port.');
  }
  return url;
}
