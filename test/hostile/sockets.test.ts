import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { findFaultOf, openRaw, parseAnswers } from '../harness/raw-http.ts';
import { startService, type TestService } from '../harness/service.ts';

const HOST = 'Host: coin.example\r\n';
const JSON_BODY = 'Content-Type: application/json\r\n';

let node: TestNode;
let service: TestService;
let dataDir: string;
let pid: number | undefined;

beforeAll(async () => {
  node = await startNode();
  await node.mine(3);
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-sockets-'));
  service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
  pid = service.pid();
});
afterEach(async () => {
  expect((await service.get('/api/v1/blocks')).status).toBe(200);
  expect(service.pid()).toBe(pid);
  // Nothing was so unforeseen that somebody has to look at it.
  expect(service.printed()).not.toContain('"level":50');
});
afterAll(async () => {
  await service.kill();
  await node.stop();
  await rm(dataDir, { recursive: true });
});

function get(path: string, headers = HOST): string {
  return `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
}

function post(headers: string, body = ''): string {
  return `POST /api/v1/broadcast HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
}

/** Ends the connection after its answer, so that its end can be awaited. */
const CLOSE = `${HOST}Connection: close\r\n`;
const chunked = `${JSON_BODY}Connection: close\r\nTransfer-Encoding: chunked\r\n`;

describe('what is malformed is refused by a problem document, and the connection closed', () => {
  test.each<[string, string | Buffer, number]>([
    ['a TLS handshake', Buffer.from('16030100a5010000a1030300', 'hex'), 400],
    ['HTTP/2 in clear', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['binary', Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]), 400],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n', 400],
    ['an unknown method', `FOO / HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['a method of a proxy', `CONNECT a.example:443 HTTP/1.1\r\n${HOST}\r\n`, 405],
    ['no Host header', get('/api/v1/health', 'Connection: close\r\n'), 400],
    ['two Host headers', get('/api/v1/health', `${CLOSE}host: other.example\r\n`), 400],
    ['a space in the path', get('/api/v1/block/1 2'), 400],
    ['raw unicode in the path', Buffer.from(get('/api/v1/block/é💥'), 'utf8'), 400],
    ['a NUL in the path', get('/api/v1/block/\0'), 400],
    ['a space before a colon', get('/', 'Host : a\r\n'), 400],
    ['a header without a colon', get('/', `${HOST}nonsense\r\n`), 400],
    ['a folded header', get('/', `${HOST}X-A: b\r\n  c\r\n`), 400],
    ['a NUL in a header', get('/', `${HOST}X-A: b\0c\r\n`), 400],
    ['a lone carriage return in a header', get('/', `${HOST}X-A: b\rc\r\n`), 400],
    ['lines without carriage returns', 'GET / HTTP/1.1\nHost: a\n\n', 400],
    ['a header beyond the limit', get('/', `${HOST}X-Big: ${'a'.repeat(20_000)}\r\n`), 431],
    ['thousands of headers', get('/', `${HOST}${'a:b\r\n'.repeat(4_000)}`), 431],
    ['a request line beyond the limit', get(`/${'a'.repeat(20_000)}`), 431],
    ['a path beyond the limit', get(`/api/v1/search?q=${'a'.repeat(8_000)}`, CLOSE), 414],
    ['a broken percent-encoding', get('/api/v1/block/%', CLOSE), 400],
    ['a percent-encoding of no bytes', get('/api/v1/block/%zz', CLOSE), 400],
    ['an encoded NUL', get('/api/v1/block/%00', CLOSE), 400],
    ['overlong unicode', get('/api/v1/search?q=%C0%80', CLOSE), 400],
    ['a height beyond all numbers', get(`/api/v1/block/${'9'.repeat(40)}`, CLOSE), 400],
    ['a negative length', post(`${JSON_BODY}Content-Length: -1\r\n`), 400],
    ['a length beyond all numbers', post(`${JSON_BODY}Content-Length: ${'9'.repeat(30)}\r\n`), 400],
    ['two lengths', post(`${JSON_BODY}Content-Length: 2\r\nContent-Length: 3\r\n`, '{}'), 400],
    [
      'a length and chunks',
      post(`${JSON_BODY}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n`, '0\r\n\r\n'),
      400,
    ],
    ['an unknown transfer encoding', post(`${JSON_BODY}Transfer-Encoding: gzip\r\n`, 'zz'), 400],
    ['a chunk of no length', post(chunked, 'zz\r\n{}\r\n0\r\n\r\n'), 400],
    ['a chunk extension beyond the limit', post(chunked, `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), 413],
    ['trailers beyond the limit', post(chunked, `2\r\n{}\r\n0\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`), 431],
    ['a body announced beyond the limit', post(`${JSON_BODY}Content-Length: 5000000000\r\n`), 413],
    [
      'a body in chunks beyond the limit',
      post(chunked, `300000\r\n${'a'.repeat(0x300000)}\r\n0\r\n\r\n`),
      413,
    ],
    ['a body that is missing', post(`${JSON_BODY}Connection: close\r\n`), 400],
    ['a body of no type', post('Connection: close\r\nContent-Length: 2\r\n', '{}'), 415],
    [
      'a body that is no UTF-8',
      post(`${CLOSE.slice(HOST.length)}${JSON_BODY}Content-Length: 2\r\n`, '\xff\xfe'),
      400,
    ],
    ['an expectation of something else', post(`${JSON_BODY}Expect: 200-ok\r\nContent-Length: 2\r\n`), 417],
    [
      'a body for a path that takes none',
      `DELETE /api/v1/health HTTP/1.1\r\n${CLOSE}${JSON_BODY}Content-Length: 2\r\n\r\n{}`,
      405,
    ],
  ])('%s', async (_, bytes, status) => {
    const answers = parseAnswers(await openRaw(service.origin, bytes).closed);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(answers.map(findFaultOf)).toEqual([undefined]);
  });
});

describe('connections that are cut short by the client', () => {
  test.each<[string, string]>([
    ['in the request line', 'GET /api'],
    ['in the headers', `GET / HTTP/1.1\r\n${HOST}X-`],
    ['in the body', post(`${JSON_BODY}Content-Length: 100\r\n`, '{"raw')],
    ['in a chunk', post(chunked, '64\r\n{"raw')],
  ])('half-closed %s: told so', async (_, bytes) => {
    const { socket, closed } = openRaw(service.origin);
    socket.end(bytes);
    expect(parseAnswers(await closed).map(findFaultOf)).toEqual([undefined]);
  });

  test('half-closed after a whole request: answered all the same', async () => {
    const { socket, closed } = openRaw(service.origin);
    socket.end(get('/api/v1/blocks'));
    expect(parseAnswers(await closed).map(({ status }) => status)).toEqual([200]);
  });

  test('reset in the middle of requests and answers, over and over: others are answered', async () => {
    const resets = Array.from({ length: 300 }, async (_, i) => {
      const { socket, closed } = openRaw(service.origin, get('/api/v1/blocks').slice(0, 5 + (i % 50)));
      await once(socket, 'connect');
      socket.resetAndDestroy();
      await closed;
    });
    await Promise.all(resets);
  });

  test('hundreds that say nothing keep nobody else from an answer', async () => {
    const silent = Array.from({ length: 500 }, () => openRaw(service.origin));
    await Promise.all(silent.map(({ socket }) => once(socket, 'connect')));
    expect((await service.get('/api/v1/health')).status).toBe(200);
    for (const { socket } of silent) socket.destroy();
  });
});

describe('pipelined requests', () => {
  test('are answered each, in order', async () => {
    const requests = Array.from({ length: 100 }, (_, i) => get(`/api/v1/block/${i % 4}`)).join('');
    const { closed } = openRaw(service.origin, requests + get('/nowhere', CLOSE));
    const answers = parseAnswers(await closed);
    const expected = Array.from({ length: 100 }, (_, i) => i % 4);
    expect(answers.slice(0, 100).map(({ body }) => JSON.parse(body).height)).toEqual(expected);
    expect(answers.at(100)?.status).toBe(404);
  });

  test('end with the first that is malformed', async () => {
    const { closed } = openRaw(
      service.origin,
      `${get('/api/v1/block/1')}nonsense\r\n\r\n${get('/api/v1/block/2')}`,
    );
    const answers = parseAnswers(await closed);
    expect(answers.at(-1)?.status).toBe(400);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

test('who sends too slowly is told so and cut off, however lively it looks', async () => {
  const trickle = (begin: string, rest: string): Promise<string> => {
    const { socket, closed } = openRaw(service.origin, begin);
    let sent = 0;
    const timer = setInterval(() => socket.write(rest[sent++ % rest.length]!), 500);
    return closed.finally(() => clearInterval(timer));
  };
  const received = await Promise.all([
    trickle(`GET / HTTP/1.1\r\n${HOST}`, 'X-A: b\r\n'),
    trickle(post(`${JSON_BODY}Content-Length: 100000\r\n`), ' '),
    trickle(post(chunked), '1\r\n \r\n'),
    openRaw(service.origin).closed,
    openRaw(service.origin, `GET / HTTP/1.1\r\n${HOST}`).closed,
    openRaw(service.origin, post(`${JSON_BODY}Content-Length: 10\r\n`, '{')).closed,
    openRaw(service.origin, post(`${JSON_BODY}Expect: 100-continue\r\nContent-Length: 10\r\n`)).closed,
  ]);
  for (const text of received) {
    const last = parseAnswers(text).at(-1)!;
    expect([last.status, findFaultOf(last)]).toEqual([408, undefined]);
  }
});
