import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createFetchJson } from './fetch-json.ts';
import { OutboundError } from './outbound-error.ts';

const signal = new AbortController().signal;
let close: (() => void) | undefined;

afterEach(() => close?.());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

test('the answer of a path below the base address is parsed', async () => {
  const base = await serve((request, response) => response.end(JSON.stringify({ url: request.url })));
  expect(await createFetchJson(`${base}/pool`, parse)('/api/x?y=1', signal)).toEqual({
    url: '/pool/api/x?y=1',
  });
});

test('other statuses, redirects, texts and answers without an end are refused', async () => {
  const base = await serve((request, response) => {
    if (request.url === '/status') response.writeHead(500).end('{}');
    else if (request.url === '/redirect') response.writeHead(302, { location: '/ok' }).end();
    else if (request.url === '/text') response.end('hello');
    else if (request.url === '/ok') response.end('{}');
    else if (request.url === '/endless') {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    }
    // Anything else is never answered.
  });
  const patient = createFetchJson(base, parse, { timeoutMs: 20_000, maxBytes: 100_000 });
  expect(await patient('/ok', signal)).toEqual({});
  const fetchJson = createFetchJson(base, parse, { timeoutMs: 500, maxBytes: 100_000 });
  for (const path of ['/status', '/redirect', '/text', '/endless', '/silent'])
    await expect(fetchJson(path, signal), path).rejects.toThrow(OutboundError);
});

test('a server that is not there is refused, and so is one whose caller stops', async () => {
  const base = await serve(() => {});
  const stopping = new AbortController();
  const asked = createFetchJson(base, parse)('/', stopping.signal);
  stopping.abort();
  await expect(asked).rejects.toThrow(OutboundError);
  close?.();
  await expect(createFetchJson(base, parse)('/', signal)).rejects.toThrow(OutboundError);
});
