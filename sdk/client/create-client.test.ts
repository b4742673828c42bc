import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getBlock } from '../chain/get-block.ts';
import { getStatus } from '../chain/get-status.ts';
import { getTotalSupply } from '../chain/get-total-supply.ts';
import { listBlocks } from '../chain/list-blocks.ts';
import { createPayment } from '../payments/create-payment.ts';
import { getPayment } from '../payments/get-payment.ts';
import { listEvents } from '../webhooks/list-events.ts';
import type { AnswerFacts } from './client.ts';
import { type ClientOptions, createClient } from './create-client.ts';
import { iterateItems, iteratePages } from './iterate-pages.ts';
import { readRetryAfter } from './read-problem.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let handlers: Handler[] = [];
let seen: IncomingMessage[] = [];

beforeEach(async () => {
  handlers = [];
  seen = [];
  server = createServer((request, response) => {
    seen.push(request);
    // The last handler answers all that come after it.
    const handle = handlers.length > 1 ? handlers.shift()! : handlers[0]!;
    handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const connect = (options: Partial<ClientOptions> = {}) => createClient({ baseUrl: origin(), ...options });

function json(body: unknown, headers: Record<string, string> = {}, status = 200): Handler {
  return (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));
}

function problem(status: number, code: string, headers: Record<string, string> = {}): Handler {
  const body = { code, detail: `about ${code}`, request_id: 'r-1', status };
  return json(body, { 'content-type': 'application/problem+json', ...headers }, status);
}

const hang: Handler = () => {};

describe('answers', () => {
  test('come with the snapshot that they were read from', async () => {
    handlers = [json({ height: 7 }, { 'x-chain-height': '7', 'x-chain-tip': 'ab' })];
    const told: AnswerFacts[] = [];
    const options = { onAnswer: (facts: AnswerFacts) => void told.push(facts) };
    expect(await getStatus(connect(options), options)).toEqual({ height: 7 });
    expect(told.map(({ snapshot, status }) => [snapshot, status])).toEqual([
      [{ height: 7, tip: 'ab' }, 200],
      [{ height: 7, tip: 'ab' }, 200],
    ]);
  });

  test('are texts where the service writes a text', async () => {
    handlers = [(_, response) => response.setHeader('content-type', 'text/plain').end('84000000.00000000')];
    expect(await getTotalSupply(connect())).toBe('84000000.00000000');
  });

  test('below a path of the service are asked for there', async () => {
    handlers = [json({})];
    await getBlock(createClient({ baseUrl: `${origin()}/coin/` }), { id: 5, limit: 2, cursor: undefined });
    expect(seen[0]!.url).toBe('/coin/api/v1/block/5?limit=2');
  });

  test('that have not changed are given again, as a new object', async () => {
    handlers = [
      json({ height: 1 }, { etag: '"a"' }),
      (_, response) =>
        response.writeHead(304, { etag: '"a"', 'x-chain-height': '9', 'x-chain-tip': 'cd' }).end(),
    ];
    const client = connect({ cacheEntries: 2 });
    const first = await getStatus(client);
    let facts: AnswerFacts | undefined;
    const second = await getStatus(client, {
      onAnswer: (each) => {
        facts = each;
      },
    });
    expect(seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"']);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(facts).toMatchObject({ unchanged: true, snapshot: { height: 9, tip: 'cd' } });
  });

  test('leave the cache, the oldest first', async () => {
    handlers = [json({}, { etag: '"a"' })];
    const client = connect({ cacheEntries: 1 });
    await getBlock(client, { id: 1 });
    await getBlock(client, { id: 2 });
    await getBlock(client, { id: 1 });
    expect(seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, undefined]);
  });
});

describe('errors', () => {
  test('carry the code, status, detail and request id of the service', async () => {
    handlers = [problem(404, 'block_not_found')];
    await expect(getBlock(connect(), { id: 5 })).rejects.toMatchObject({
      code: 'block_not_found',
      status: 404,
      detail: 'about block_not_found',
      requestId: 'r-1',
      message: 'block_not_found: about block_not_found',
    });
  });

  test.each<[string, Handler]>([
    ['http_error', (_, response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>')],
    ['http_error', problem(500, '<script>')],
    ['invalid_answer', (_, response) => response.end('<html>')],
    ['invalid_answer', json('a text')],
    ['invalid_answer', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['invalid_answer', (_, response) => response.writeHead(304).end()],
    ['answer_too_large', json('x'.repeat(2000))],
    ['network_error', (request) => request.socket.destroy()],
    [
      'network_error',
      (_, response) => response.writeHead(200, { 'content-length': '9' }).end('{', () => response.destroy()),
    ],
  ])('%s', async (code, handle) => {
    handlers = [handle];
    await expect(getStatus(connect({ retries: 0, maxAnswerBytes: 1000 }))).rejects.toMatchObject({
      name: 'CoinfrontError',
      code,
    });
  });

  test('without a service say where none is', async () => {
    const baseUrl = origin();
    await new Promise((resolve) => server.close(resolve));
    await expect(getStatus(createClient({ baseUrl, retries: 0 }))).rejects.toMatchObject({
      code: 'network_error',
      detail: expect.stringContaining(baseUrl),
    });
  });
});

describe('retries', () => {
  test('of a read go on until it succeeds', async () => {
    handlers = [
      (request) => request.socket.destroy(),
      problem(503, 'not_ready', { 'retry-after': '0' }),
      json({ height: 1 }),
    ];
    expect(await getStatus(connect())).toEqual({ height: 1 });
    expect(seen).toHaveLength(3);
  });

  test('end after their number', async () => {
    handlers = [problem(429, 'rate_limited', { 'retry-after': '0' })];
    await expect(getStatus(connect({ retries: 1 }))).rejects.toMatchObject({ code: 'rate_limited' });
    expect(seen).toHaveLength(2);
  });

  test('are not tried when the service asks for more time than there is', async () => {
    handlers = [problem(429, 'rate_limited', { 'retry-after': '60' })];
    await expect(getStatus(connect())).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 });
    expect(seen).toHaveLength(1);
  });

  test('are for what passes only', async () => {
    handlers = [problem(404, 'payment_not_found')];
    const call = getPayment(connect(), { payment_id: 'VP-7K3M9QX2C4TB' });
    await expect(call).rejects.toMatchObject({ code: 'payment_not_found' });
    expect(seen).toHaveLength(1);
  });

  test.each<[string, Handler]>([
    ['index_unavailable', problem(503, 'index_unavailable', { 'retry-after': '0' })],
    ['network_error', (request) => request.socket.destroy()],
  ])('never send a POST again after %s', async (code, handle) => {
    handlers = [handle];
    const call = createPayment(connect({ apiKey: 'key' }), { amount: '1' });
    await expect(call).rejects.toMatchObject({ code });
    expect(seen).toHaveLength(1);
  });

  test('understand both forms of Retry-After', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(readRetryAfter('12', now)).toBe(12);
    expect(readRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30);
    expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
    expect(readRetryAfter('soon', now)).toBeUndefined();
  });
});

describe('time', () => {
  test('is over for a service that does not answer', async () => {
    handlers = [hang];
    await expect(getStatus(connect({ timeoutMs: 50 }))).rejects.toMatchObject({ code: 'timeout' });
    await expect(getStatus(connect(), { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
  });

  test('is over for an answer that never ends', async () => {
    handlers = [
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ];
    await expect(getStatus(connect({ timeoutMs: 100 }))).rejects.toMatchObject({ code: 'timeout' });
  });

  test('ends when the caller says so, with the reason that the caller gave', async () => {
    const controller = new AbortController();
    const reason = new Error('the person went elsewhere');
    handlers = [() => controller.abort(reason)];
    await expect(getStatus(connect(), { signal: controller.signal })).rejects.toBe(reason);
    await expect(getStatus(connect(), { signal: controller.signal })).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  test('ends while a retry waits', async () => {
    const controller = new AbortController();
    handlers = [
      (request, response) => {
        problem(503, 'not_ready', { 'retry-after': '10' })(request, response);
        response.once('close', () => setImmediate(() => controller.abort(new Error('enough'))));
      },
    ];
    await expect(getStatus(connect(), { signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('what is sent', () => {
  test('the API key goes to the merchant operations, and nowhere else', async () => {
    handlers = [json({})];
    const client = connect({ apiKey: 'the key' });
    await createPayment(client, { amount: '1', idempotency_key: 'order-1' });
    await getStatus(client);
    expect(seen.map(({ headers }) => headers['x-coin-pay-api-key'])).toEqual(['the key', undefined]);
    expect(seen[0]!.headers['idempotency-key']).toBe('order-1');
  });

  test('no merchant operation is sent without a key', async () => {
    const call = createPayment(connect(), { amount: '1' });
    await expect(call).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(seen).toEqual([]);
  });

  test.each(['', '.', '..'])('a parameter %j that would change the path is refused', async (id) => {
    await expect(getBlock(connect(), { id })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(seen).toEqual([]);
  });

  test.each([
    'coin.example',
    'ftp://coin.example',
    'https://me:pass@coin.example',
    'https://coin.example/?a=1',
  ])('%s is no address of a service', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

describe('pages', () => {
  const page = (items: number[], next_cursor: string | null) => json({ items, next_cursor });

  test('are read to the last', async () => {
    handlers = [page([1, 2], 'a'), page([], 'b'), page([3], null)];
    const client = connect();
    const items: unknown[] = [];
    for await (const item of iterateItems((cursor) => listBlocks(client, { limit: 2, cursor })))
      items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/blocks?limit=2',
      '/api/v1/blocks?limit=2&cursor=a',
      '/api/v1/blocks?limit=2&cursor=b',
    ]);
  });

  test('of a feed, which always has a next cursor, are read to its present end', async () => {
    const piece = (items: number[], next_cursor: string, has_more: boolean) =>
      json({ items, next_cursor, has_more });
    handlers = [piece([1], 'a', true), piece([], 'b', true), piece([2], 'c', false)];
    const client = connect({ apiKey: 'the key' });
    const items: unknown[] = [];
    for await (const item of iterateItems((cursor) => listEvents(client, { cursor }))) items.push(item);
    expect(items).toEqual([1, 2]);
    expect(seen).toHaveLength(3);
  });

  test('that lead nowhere end with an error', async () => {
    handlers = [page([1], 'a')];
    const client = connect();
    const readAll = async (maxPages: number) => {
      for await (const _ of iteratePages((cursor) => listBlocks(client, { cursor }), { maxPages }));
    };
    await expect(readAll(100)).rejects.toMatchObject({ code: 'invalid_answer' });
    expect(seen).toHaveLength(2);
    await expect(readAll(1)).rejects.toMatchObject({ code: 'invalid_answer' });
  });
});
