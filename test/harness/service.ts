import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '../../scripts/free-ports.ts';
import { keepCompiled } from '../../scripts/keep-compiled.ts';
import { awaitListening } from '../../scripts/listening.ts';
import { type DatabaseLocation, keyFileOf } from './engines.ts';
import { waitUntil } from './litecoind.ts';
import { findProgram } from './service-program.ts';
import { testCoin } from './test-coin.ts';

/** An answer of the service, read whole. `json` is undefined when the body is no JSON. */
export type ServiceAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests read answers of many shapes, and a wrong field fails their expectation.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly json: any;
};

/** The service as its own process, as an operator runs it. */
export type TestService = {
  /** `http://127.0.0.1:port`, the same over restarts. */
  readonly origin: string;
  readonly metricsOrigin: string;
  /** Undefined while it does not run. */
  pid(): number | undefined;
  isRunning(): boolean;
  /** The end of what all its runs printed. */
  printed(): string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ServiceAnswer>;
  /** Sends a string as text/plain and anything else as JSON. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<ServiceAnswer>;
  /** Sends a request of another method; JSON where there is a body. */
  send(
    method: string,
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ServiceAnswer>;
  /** The block hash that its answers name as their tip; undefined when it does not answer or has none. */
  findTip(): Promise<string | undefined>;
  /** Waits until it serves this block as its tip (default: the node's best block at each look). */
  waitForTip(hash?: string, timeoutMs?: number): Promise<void>;
  /** Waits until its mempool holds exactly the transactions of the node's. */
  waitForMempool(timeoutMs?: number): Promise<void>;
  /** Runs it again after `stop`, `kill` or an end of its own, and waits until it answers. */
  start(): Promise<void>;
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
};

export type TestServiceOptions = {
  /** `http://user:password@host:port`. */
  readonly nodeUrl: string;
  readonly database: DatabaseLocation;
  /** A free one unless given: where others have to know it before. */
  readonly port?: number;
  /** More settings, or other values than the defaults of tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Until when to wait at start: for an answer, for the node's tip (default), or not at all. */
  readonly waitFor?: 'tip' | 'answer' | 'nothing';
  /** Gets all that it prints. */
  readonly onPrinted?: (chunk: Buffer) => void;
};

/**
 * One helper of the engine and not four: on the two processors of a test machine, which other suites want as well, four cost a
 * sixth of a start and gain nothing.
 */
const FEW_HELPERS = '--v8-pool-size=1';
const TIMEOUT_MS = 90_000;
const KEPT_CHARS = 32_000;

/** The end of what was printed, from the start of a line: half a line of a log would be read as one. */
function keepWholeLines(printed: string): string {
  if (printed.length <= KEPT_CHARS) return printed;
  const kept = printed.slice(-KEPT_CHARS);
  return kept.slice(kept.indexOf('\n') + 1);
}

/**
 * Starts the service on free ports of 127.0.0.1, without a rate limit. The caller stops it.
 *
 * @throws Error with what it printed when it ends or does not come up.
 */
export async function startService(options: TestServiceOptions): Promise<TestService> {
  const port = options.port ?? (await findFreePort());
  const metricsPort = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = {
    COINFRONT_NODE_URL: options.nodeUrl,
    COINFRONT_COIN: testCoin,
    COINFRONT_LISTEN: `127.0.0.1:${port}`,
    COINFRONT_METRICS_LISTEN: `127.0.0.1:${metricsPort}`,
    COINFRONT_RATE_LIMIT: 'off',
    COINFRONT_LOG_LEVEL: 'warn',
    ...describeDatabase(options.database),
    ...options.settings,
  };
  let child: ChildProcess | undefined;
  let listening: Promise<string | undefined> | undefined;
  let printed = '';
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const checkRunning = () => {
    if (!isRunning())
      throw new Error(`The service ended (${child?.exitCode ?? child?.signalCode}): ${printed}`);
  };

  function run(): void {
    const started = spawn(process.execPath, [FEW_HELPERS, ...keepCompiled, findProgram('main')], {
      // Nothing of our own environment: a setting of the operator's shell must not change what is tested.
      env: { NODE_ENV: 'production', ...settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    listening = awaitListening(started);
    const keep = (chunk: Buffer) => {
      printed = keepWholeLines(printed + chunk.toString());
      options.onPrinted?.(chunk);
    };
    started.stdout?.on('data', keep);
    started.stderr?.on('data', keep);
    const killAtExit = () => started.kill('SIGKILL');
    process.once('exit', killAtExit);
    started.once('exit', () => process.off('exit', killAtExit));
    child = started;
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (!child || !isRunning()) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }

  async function request(path: string, init?: RequestInit): Promise<ServiceAnswer> {
    const response = await fetch(origin + path, init);
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, json: parseJson(text) };
  }

  const service: TestService = {
    origin,
    metricsOrigin: `http://127.0.0.1:${metricsPort}`,
    pid: () => (isRunning() ? child?.pid : undefined),
    isRunning,
    printed: () => printed,
    get: (path, headers) => request(path, headers && { headers }),
    post: (path, body, headers) =>
      request(path, {
        method: 'POST',
        headers: {
          'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    send: (method, path, body, headers) =>
      request(path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async findTip() {
      const answer = await request('/api/v1/status').catch(() => undefined);
      return answer?.headers.get('x-chain-tip') ?? undefined;
    },
    waitForTip: (hash, timeoutMs = TIMEOUT_MS) =>
      waitUntil(
        `the service serves ${hash ?? "the node's tip"}`,
        async () => {
          checkRunning();
          const expected = hash ?? (await callNode<string>(options.nodeUrl, 'getbestblockhash'));
          return (await service.findTip()) === expected;
        },
        timeoutMs,
      ),
    waitForMempool: (timeoutMs = TIMEOUT_MS) =>
      waitUntil(
        "the service's mempool is the node's",
        async () => {
          checkRunning();
          const expected = await callNode<string[]>(options.nodeUrl, 'getrawmempool');
          const { json } = await request('/esplora/mempool/txids');
          return Array.isArray(json) && json.sort().join() === expected.sort().join();
        },
        timeoutMs,
      ),
    async start() {
      if (isRunning()) return;
      run();
      // Its own word: the port may have been taken meanwhile, and somebody else answers there.
      if ((await listening) === undefined) checkRunning();
    },
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL');
    },
  };
  if (options.waitFor === 'nothing') run();
  else await service.start();
  if (options.waitFor === undefined || options.waitFor === 'tip') await service.waitForTip();
  return service;
}

/** The settings that name a database. */
export function describeDatabase(location: DatabaseLocation): Record<string, string> {
  return location.kind === 'sqlite'
    ? { COINFRONT_DATA_DIR: location.dataDir }
    : { COINFRONT_DATABASE_URL: location.url, COINFRONT_REGISTRY_KEY_FILE: keyFileOf(location) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Asks the node without the service's own client: what is compared with must not share its faults. */
async function callNode<T>(nodeUrl: string, method: string): Promise<T> {
  const url = new URL(nodeUrl);
  const authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`;
  const response = await fetch(url.origin, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ id: 1, method, params: [] }),
  });
  const { result } = (await response.json()) as { result: T };
  return result;
}
