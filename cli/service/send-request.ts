import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { createRequire } from 'node:module';

/** More than any client of this program takes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * `fetch` as far as the SDK needs it, by Node's HTTP client: loading Node's own `fetch` takes as long as all else that a balance
 * takes. Redirects are not followed.
 */
export async function sendRequest(url: string, init: RequestInit): Promise<Response> {
  const message = await exchange(url, init);
  const bytes = await readWhole(message);
  let isRead = false;
  const answer = {
    status: message.statusCode ?? 0,
    type: 'default',
    headers: { get: (name: string) => message.headersDistinct[name.toLowerCase()]?.join(', ') ?? null },
    body: {
      getReader: () => ({
        async read() {
          if (isRead) return { done: true, value: undefined };
          isRead = true;
          return { done: false, value: bytes };
        },
        cancel: async () => {},
      }),
    },
  };
  // What the SDK reads of a response, and no more of it.
  return answer as unknown as Response;
}

// Importing Node's HTTP reads all that it exports, of which one thing loads `fetch` and what that needs.
const require = createRequire(import.meta.url);

type Request = (url: string, options: RequestOptions) => ClientRequest;

function exchange(
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<IncomingMessage> {
  const { request: open }: { request: Request } = require(
    url.startsWith('https:') ? 'node:https' : 'node:http',
  );
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method,
      headers: {
        'accept-encoding': 'gzip',
        ...(headers as Record<string, string>),
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body as string) }),
      },
      ...(signal ? { signal } : {}),
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
  });
}

async function readWhole(message: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  if (!message.complete) throw new Error('the connection ended within the answer');
  const bytes = Buffer.concat(chunks);
  if (message.headers['content-encoding'] !== 'gzip') return bytes;
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(bytes, { maxOutputLength: maxBytes });
}
