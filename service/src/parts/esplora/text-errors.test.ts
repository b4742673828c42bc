import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createFixtureServer,
  type FixtureOverrides,
  fixtureFacts,
  polled,
} from '../../testing/fixture-server.ts';

const running: ReturnType<typeof createFixtureServer>[] = [];
afterEach(async () => {
  for (const { app } of running.splice(0)) await app.close();
});

function start(overrides?: FixtureOverrides) {
  const server = createFixtureServer(overrides);
  running.push(server);
  return server;
}

/** Says something on a connection of its own. @returns status, content type and body of the answer */
async function speak(bytes: string): Promise<[number, string, string]> {
  const { app } = start({ server: { timeouts: { requestMs: 200, checkEveryMs: 20 } } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return [Number(head.split(' ')[1]), /^content-type: (.*)$/im.exec(head)?.[1] ?? '', body];
}

const text = 'text/plain; charset=utf-8';
const problem = 'application/problem+json; charset=utf-8';

describe('below /esplora every error is plain text', () => {
  test.each([
    ['a path that has no route', 404, { url: '/esplora/nothing' }],
    ['the prefix itself', 404, { url: '/esplora' }],
    ['the prefix, with a query', 404, { url: '/esplora?a=1' }],
    ['a path without a route, for a browser', 404, { url: '/esplora/x', headers: { accept: 'text/html' } }],
    ['another method', 405, { method: 'DELETE', url: '/esplora/tx' }],
    ['a method at a path that is not there', 404, { method: 'POST', url: '/esplora/x', payload: '{' }],
    ['a malformed percent-encoding', 400, { url: '/esplora/tx/%zz' }],
    ['a malformed query', 400, { url: '/esplora/blocks?a=%' }],
    ['a path that is too long', 414, { url: `/esplora/tx/${'a'.repeat(1_100)}` }],
    ['an address that is too long', 414, { url: `/esplora/blocks?${'a'.repeat(3_000)}` }],
    ['a body that is too large', 413, { method: 'POST', url: '/esplora/tx', payload: 'a'.repeat(2_100_000) }],
    ['a body that is none', 400, { method: 'POST', url: '/esplora/tx', payload: 'zz' }],
    ['a private key', 400, { url: '/esplora/tx/KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn' }],
  ])('%s: %i', async (_, status, request) => {
    const { statusCode, headers, body } = await start().app.inject(request as object);
    expect([statusCode, headers['content-type']]).toEqual([status, text]);
    expect(body).toMatch(/^[A-Z]/);
  });

  test('what is over the limit: 429', async () => {
    const { app } = start({ server: { rateLimitPerMinute: 0.5 } });
    const { statusCode, headers } = await app.inject('/esplora/nothing');
    expect([statusCode, headers['content-type']]).toEqual([429, text]);
  });

  test('what cannot be read yet: 503', async () => {
    const chain = start().chain;
    while (chain.blocks.length > 0) chain.removeTip();
    const { app } = start({ chain, context: { getNodeState: () => polled(fixtureFacts) } });
    const { statusCode, headers } = await app.inject('/esplora/blocks');
    expect([statusCode, headers['content-type']]).toEqual([503, text]);
  });

  const host = 'Host: a\r\n';
  test.each([
    ['no host', 400, 'GET /esplora/blocks HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['what is no HTTP', 400, `GET /esplora/blocks HTTP/1.1\r\n${host}nonsense\r\n\r\n`],
    ['headers that are too large', 431, `GET /esplora/x HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a request line that is too long', 431, `GET /esplora/${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`],
    ['a body that does not come', 408, `POST /esplora/tx HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\nabc`],
    ['an expectation', 417, `POST /esplora/tx HTTP/1.1\r\n${host}Expect: more\r\nContent-Length: 0\r\n\r\n`],
  ])('%s: %i', async (_, status, bytes) => {
    const [answered, type, body] = await speak(bytes);
    expect([answered, type]).toEqual([status, text]);
    expect(body).toMatch(/^[A-Z]/);
  });
});

test.each(['/', '/esploras', '/esplora-old/tx', '/api/v1/nothing', '/api/v1/esplora/tx'])(
  'at %s an error is a problem document',
  async (url) => {
    const { headers } = await start().app.inject({ url, method: 'DELETE' });
    expect(headers['content-type']).toBe(problem);
  },
);
