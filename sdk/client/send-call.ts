/** One attempt of a call: sends it, reads the answer within its bounds, and says what it is. */

import type { AnswerFacts, Call, Snapshot } from './client.ts';
import { CoinfrontError, clientError } from './error.ts';
import type { EtagCache } from './etag-cache.ts';
import { readBody } from './read-body.ts';
import { readProblem } from './read-problem.ts';

/** `fetch`, or what stands for it. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>;

export type SendSettings = {
  readonly send: SendRequest;
  readonly maxAnswerBytes: number;
  readonly apiKey: string | undefined;
  readonly cache: EtagCache | undefined;
};

/** The answer of a success. */
export type Answer = { readonly body: unknown; readonly facts: AnswerFacts };

/**
 * @throws CoinfrontError; and whatever `fetch` throws when the signal ends it, which the caller knows to tell apart
 */
export async function sendCall(
  settings: SendSettings,
  call: Call,
  url: string,
  signal: AbortSignal,
): Promise<Answer> {
  const kept = call.method === 'GET' ? settings.cache?.find(url) : undefined;
  const { status, type, headers, bytes } = await exchange(settings, call, url, signal, kept?.etag);
  const isUnchanged = status === 304 && kept !== undefined;
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && !isUnchanged)) {
    const detail =
      'The service answers with a redirect, which is not followed: use the address that it leads to.';
    throw clientError('invalid_answer', detail, { status });
  }
  const decode = () => new TextDecoder().decode(bytes);
  if (status >= 400) throw readProblem(status, headers, decode());
  const facts = { status, headers, snapshot: readSnapshot(headers), unchanged: isUnchanged };
  if (call.answer === 'bytes') return { body: bytes, facts };
  const text = isUnchanged ? kept.text : decode();
  const body = call.answer === 'text' ? text : parseJson(text, status);
  const etag = headers.get('etag');
  if (call.method === 'GET' && etag !== null) settings.cache?.put(url, { etag, text });
  return { body, facts };
}

type Exchange = { status: number; type: string; headers: Headers; bytes: Uint8Array<ArrayBuffer> };

async function exchange(
  { send, maxAnswerBytes, apiKey }: SendSettings,
  call: Call,
  url: string,
  signal: AbortSignal,
  etag: string | undefined,
): Promise<Exchange> {
  const isText = typeof call.body === 'string';
  try {
    const response = await send(url, {
      method: call.method,
      headers: {
        ...call.headers,
        ...(call.body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }),
        ...(call.authorised && apiKey !== undefined ? { 'X-COIN-Pay-API-Key': apiKey } : {}),
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
      ...(call.body === undefined
        ? {}
        : { body: isText ? (call.body as string) : JSON.stringify(call.body) }),
      // No cookies or addresses of pages go along, and what is sent goes nowhere else.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'manual',
      signal,
    });
    const { status, type, headers } = response;
    return { status, type, headers, bytes: await readBody(response, maxAnswerBytes) };
  } catch (error) {
    if (signal.aborted || error instanceof CoinfrontError) throw error;
    const detail = `${new URL(url).origin} gave no whole answer: ${describeCause(error)}.`;
    throw clientError('network_error', detail, { cause: error });
  }
}

/** The innermost message: fetch only says that it failed. */
function describeCause(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const inner = cause instanceof Error ? cause : error;
  const { code } = inner as { code?: unknown };
  return (
    (inner instanceof Error && inner.message) || (typeof code === 'string' ? code : 'the connection failed')
  );
}

function parseJson(text: string, status: number): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw clientError(
      'invalid_answer',
      'The answer is not JSON. Is this the address of a Coinfront service?',
      {
        status,
        cause,
      },
    );
  }
  throw clientError('invalid_answer', 'The answer is neither an object nor a list.', { status });
}

function readSnapshot(headers: Headers): Snapshot | undefined {
  const height = headers.get('x-chain-height');
  const tip = headers.get('x-chain-tip');
  if (height === null || tip === null || !/^[0-9]{1,10}$/.test(height)) return undefined;
  return { height: Number(height), tip };
}
