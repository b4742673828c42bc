import { expect, test } from 'vitest';
import { createFixtureServer } from '../../testing/fixture-server.ts';

const { app } = createFixtureServer();

test.each(['?_=1764000000', '?a=1&a=2&b', '?__proto__=1'])(
  'a query that nobody asked for is ignored: %s',
  async (query) => {
    const { statusCode, body } = await app.inject(`/esplora/blocks/tip/height${query}`);
    expect([statusCode, body]).toEqual([200, '120']);
    const document = await app.inject(`/esplora/openapi.json${query}`);
    expect(document.statusCode).toBe(200);
  },
);

test.each([
  ['/blocks/tip/height/', '/blocks/tip/height'],
  ['/blocks/?_=1', '/blocks?_=1'],
  ['/block-height/110//', '/block-height/110'],
])('a slash behind a path is no other path: %s', async (path, expected) => {
  const asked = `http://service/below/esplora${path}`;
  const { statusCode, headers } = await app.inject(`/esplora${path}`);
  expect(statusCode).toBe(308);
  expect(new URL(String(headers.location), asked).href).toBe(`http://service/below/esplora${expected}`);
});

test('a transaction that was sent to a path with a slash is to be sent to the one without', async () => {
  const { statusCode, headers } = await app.inject({ method: 'POST', url: '/esplora/tx/', payload: '00' });
  expect([statusCode, headers.location]).toEqual([308, '../tx']);
});

test.each(['/esplora/', '/esplora/nothing/', '/esplora//host.example/', '/api/v1/health/'])(
  'where no route is, a slash changes nothing: %s',
  async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404);
  },
);

test('clients that add /api to what they are given are answered the same', async () => {
  expect((await app.inject('/esplora/api/blocks/tip/height')).body).toBe('120');
  const { statusCode, headers } = await app.inject('/esplora/api/nothing');
  expect([statusCode, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
});
