import { buildUrl, parseBaseUrl } from './build-url.ts';
import type { Call, CallOptions, Client } from './client.ts';
import { clientError } from './error.ts';
import { createEtagCache } from './etag-cache.ts';
import { findRetryDelay } from './retry-rules.ts';
import { type Answer, type SendRequest, type SendSettings, sendCall } from './send-call.ts';

export type ClientOptions = {
  /** Where the service is, such as `https://coin.example`; it may have a path. */
  baseUrl: string;
  /** The merchant's API key; it is sent with the merchant's own operations only. Never use it in a page. */
  apiKey?: string | undefined;
  /** For a call with all its retries, milliseconds; 20,000 unless given. */
  timeoutMs?: number | undefined;
  /** How often a read is tried again; 2 unless given. A POST that does more than read is sent once. */
  retries?: number | undefined;
  /** How many answers are kept to ask whether they have changed; none unless given. */
  cacheEntries?: number | undefined;
  /** Largest answer that is read, bytes; 16 MiB unless given. */
  maxAnswerBytes?: number | undefined;
  /** Used in place of the global `fetch`. */
  fetch?: SendRequest | undefined;
  /** Is told about each answer, before that of the call. */
  onAnswer?: CallOptions['onAnswer'];
};

/**
 * Makes a client of one service. It keeps no connection of its own and needs no closing.
 *
 * Reads that fail in passing (no answer, 429, 502, 503, 504) are tried again after the time that the service asks for, as long
 * as the call's time allows it.
 *
 * @throws CoinfrontError `invalid_argument` for an address that is none
 * @example
 * const client = createClient({ baseUrl: 'https://coin.example' });
 * const { index } = await getStatus(client);
 */
export function createClient(options: ClientOptions): Client {
  const { timeoutMs = 20_000, retries = 2, cacheEntries = 0, maxAnswerBytes = 16 * 1024 * 1024 } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const settings: SendSettings = {
    // Looked up at each call, and called on nothing: browsers refuse a `fetch` that was bound to another object.
    send: options.fetch ?? ((url, init) => fetch(url, init)),
    apiKey: options.apiKey,
    cache: cacheEntries > 0 ? createEtagCache(cacheEntries) : undefined,
    maxAnswerBytes,
  };
  return {
    baseUrl,
    async request<T>(call: Call, callOptions: CallOptions = {}): Promise<T> {
      if (call.authorised && settings.apiKey === undefined) {
        const detail = `${call.method} ${call.path} needs the merchant's key: give createClient an apiKey.`;
        throw clientError('invalid_argument', detail);
      }
      const url = buildUrl(baseUrl, call);
      const attempts = call.method === 'GET' || call.repeatable ? 1 + retries : 1;
      const answer = await sendWithin(settings, call, url, attempts, {
        timeoutMs,
        ...dropUndefined(callOptions),
      });
      options.onAnswer?.(answer.facts);
      callOptions.onAnswer?.(answer.facts);
      return answer.body as T;
    },
  };
}

type Limits = { timeoutMs: number; signal?: AbortSignal | undefined };

/** @throws CoinfrontError, or the reason of the caller's signal */
async function sendWithin(
  settings: SendSettings,
  call: Call,
  url: string,
  attempts: number,
  { timeoutMs, signal }: Limits,
): Promise<Answer> {
  signal?.throwIfAborted();
  const deadline = Date.now() + timeoutMs;
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendCall(settings, call, url, limit.signal);
      } catch (error) {
        const delayMs = limit.signal.aborted ? undefined : findRetryDelay(error, attempt, Math.random());
        if (delayMs === undefined || attempt >= attempts || Date.now() + delayMs >= deadline) throw error;
        await wait(delayMs, limit.signal);
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!limit.signal.aborted) throw error;
    throw clientError('timeout', `No whole answer came within ${timeoutMs} ms.`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** @throws the signal's reason */
function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function dropUndefined({ timeoutMs, signal }: CallOptions): Partial<Limits> {
  return { ...(timeoutMs === undefined ? {} : { timeoutMs }), signal };
}
