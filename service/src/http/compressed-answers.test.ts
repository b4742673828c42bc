import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createFixtureServer } from '../testing/fixture-server.ts';
import { createBodyCache } from './body-cache.ts';
import { type CompressedForms, leastCompressed } from './compressed-answers.ts';
import { accepts, chooseCoding } from './content-coding.ts';

type Server = ReturnType<typeof createFixtureServer>;
type Answer = { status: number | undefined; headers: IncomingMessage['headers']; bytes: Buffer };

const running: Server[] = [];
afterEach(async () => {
  for (const { app } of running.splice(0)) await app.close();
});

async function listen(): Promise<Server & { port: number }> {
  const server = createFixtureServer();
  running.push(server);
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...server, port: (server.app.server.address() as AddressInfo).port };
}

/** A request whose answer is not decompressed on the way. */
async function get(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, path, method, headers });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

const long = '/api/v1/blocks?limit=50';

describe('an answer that anybody may read', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('comes as %s to who takes it, and says the same, made anew and kept', async (coding, decompress) => {
    const { port } = await listen();
    const plain = await get(port, long);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const round of ['first', 'kept']) {
      const answer = await get(port, long, { 'accept-encoding': coding });
      expect(answer.headers['content-encoding'], round).toBe(coding);
      expect(decompress(answer.bytes).equals(plain.bytes), round).toBe(true);
      expect(Number(answer.headers['content-length']), round).toBe(answer.bytes.length);
      expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
    }
  });

  test('has one ETag in all forms, and is 304 in each of them', async () => {
    const { port } = await listen();
    const forms = ['br', 'gzip', 'identity'].map((coding) => ({ 'accept-encoding': coding }));
    const tags = await Promise.all(
      forms.map(async (headers) => (await get(port, long, headers)).headers.etag),
    );
    expect(new Set(tags).size).toBe(1);
    for (const headers of forms) {
      const again = await get(port, long, { ...headers, 'if-none-match': tags[0]! });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect(again.headers.vary).toBe('Accept-Encoding');
      expect(again.headers['content-encoding']).toBeUndefined();
    }
  });

  test('tells caches that others get other bytes, long or short, a snapshot or not', async () => {
    const { port } = await listen();
    for (const path of [long, '/api/v1/blocks?limit=1', '/api/v1/status', '/api/v1/openapi.json']) {
      const answer = await get(port, path);
      expect([answer.status, answer.headers.vary], path).toEqual([200, 'Accept-Encoding']);
    }
  });

  test('that is short goes as it is', async () => {
    const { port } = await listen();
    const answer = await get(port, '/api/v1/blocks?limit=1', { 'accept-encoding': 'br, gzip' });
    expect(answer.bytes.length).toBeLessThan(leastCompressed);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  test('is described by HEAD as by GET', async () => {
    const { port } = await listen();
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await get(port, long, headers);
    const head = await get(port, long, headers, 'HEAD');
    expect(head.bytes.length).toBe(0);
    expect(head.headers['content-encoding']).toBe('gzip');
    expect(head.headers['content-length']).toBe(answer.headers['content-length']);
  });

  test('is whole for everybody where hundreds ask at once', async () => {
    const { port } = await listen();
    const plain = (await get(port, long)).bytes;
    const asked = Array.from({ length: 200 }, () => get(port, long, { 'accept-encoding': 'gzip' }));
    const answers = await Promise.all(asked);
    for (const { headers, bytes } of answers) {
      const said = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      expect(said.equals(plain)).toBe(true);
    }
  });
});

test('an error is never compressed', async () => {
  const { port } = await listen();
  const answer = await get(port, `/api/v1/tx/${'0'.repeat(64)}`, { 'accept-encoding': 'br' });
  expect([answer.status, answer.headers['content-encoding']]).toEqual([404, undefined]);
});

test('the preferred coding is br, and one that is refused is not used', () => {
  expect(['gzip, br', 'gzip', 'br;q=0, gzip', 'deflate', undefined].map(chooseCoding)).toEqual([
    'br',
    'gzip',
    'gzip',
    undefined,
    undefined,
  ]);
  expect(['br', 'gzip, br;q=1', 'BR ; q=0.5'].every((header) => accepts(header, 'br'))).toBe(true);
  expect(['', 'gzip', 'br;q=0', 'br;q=0.000', undefined].some((header) => accepts(header, 'br'))).toBe(false);
});

test('what a kept answer became by compressing counts as kept', () => {
  const cache = createBodyCache(200);
  const forms: CompressedForms = new Map();
  cache.put('tag', '/a', { text: 'x'.repeat(50), contentType: '', cacheControl: '', forms });
  forms.set('gzip', { made: Promise.resolve(Buffer.alloc(40)), length: 40 });
  expect(cache.find('tag', '/a')?.text).toHaveLength(50);
  // Another of 20 does not fit into this half any more: a third one would drop the first.
  cache.put('tag', '/b', { text: 'y'.repeat(20), contentType: '', cacheControl: '', forms: new Map() });
  cache.put('tag', '/c', { text: 'z'.repeat(90), contentType: '', cacheControl: '', forms: new Map() });
  expect(cache.find('tag', '/a')).toBeUndefined();
});
