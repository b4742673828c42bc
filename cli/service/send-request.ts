import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

/** More than any client of this program takes. */
const maxBytes = 64 * 1024 * 1024;
/** Statuses whose answer has no body, not even an empty one. */
const withoutBody = [204, 205, 304];

/**
 * `fetch` as far as the SDK needs it, by Node's HTTP client: Node's own `fetch` takes a third of the processor's time that
 * `coin balance` takes. Redirects are not followed.
 */
export async function sendRequest(url: string, init: RequestInit): Promise<Response> {
  const message = await exchange(url, init);
  const body = await readWhole(message);
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return new Response(withoutBody.includes(status) ? null : body, { status, headers });
}

function exchange(
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      headers: {
        accept: '*/*',
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

async function readWhole(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
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
