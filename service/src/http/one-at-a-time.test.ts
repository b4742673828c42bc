import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { serveOneAtATime } from './one-at-a-time.ts';

type Asked = { request: IncomingMessage; response: ServerResponse };

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server that hands over each request that was parsed, and a connection to it. */
async function open(onAsked: (asked: Asked) => void): Promise<Socket> {
  server = createServer((request, response) => onAsked({ request, response }));
  serveOneAtATime(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket.setNoDelay(true).on('error', () => undefined);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function echo({ request, response }: Asked): void {
  void readBody(request).then((body) => response.end(`<${request.method} ${request.url} ${body}>`));
}

async function receive(socket: Socket): Promise<string[]> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.match(/<[^>]*>/g) ?? [];
}

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

test('of a thousand requests that come at once, one is parsed, and the next when it is answered', async () => {
  const asked: Asked[] = [];
  const socket = await open((each) => asked.push(each));
  const paths = Array.from({ length: 1_000 }, (_, i) => `/${i}`);
  socket.write(`${paths.map((path) => get(path)).join('')}${get('/last', 'Connection: close\r\n')}`);
  paths.push('/last');
  const received = receive(socket);
  for (const path of paths) {
    while (asked.length === 0) await nextTurn();
    await nextTurn();
    expect(asked.map(({ request }) => request.url)).toEqual([path]);
    asked.shift()?.response.end(`<${path}>`);
  }
  expect(await received).toEqual(paths.map((path) => `<${path}>`));
});

test('a connection whose request is not answered takes in no more than some packets', async () => {
  const asked: Asked[] = [];
  const socket = await open((each) => asked.push(each));
  socket.write(get('/first'));
  while (asked.length === 0) await nextTurn();
  const flood = Buffer.from(get('/next').repeat(1_000));
  while (socket.writableLength < 4_000_000) {
    for (let i = 0; i < 10; i++) socket.write(flood);
    await nextTurn();
  }
  expect(asked.length).toBe(1);
  expect(asked[0]!.request.socket.bytesRead).toBeLessThan(1_000_000);
  socket.destroy();
});

const mixed = [
  get('/a'),
  '\r\n',
  'POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\nab\r\n\r\ncd\r\n\r\n',
  get('/c', 'X-Y: z\r\n'),
  'POST /d HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n2\r\nxy\r\n0\r\n\r\n',
  'POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n',
  get('/f', 'Connection: close\r\n'),
].join('');
const answers = [
  '<GET /a >',
  '<POST /b ab\r\n\r\ncd\r\n\r\n>',
  '<GET /c >',
  '<POST /d \r\n\r\nxy>',
  '<POST /e >',
  '<GET /f >',
];

test.each([1, 2, 3, 5, 7, 16, 64, 1_000])(
  'requests with and without bodies are answered in order, cut in pieces of %i bytes',
  async (length) => {
    const socket = await open(echo);
    const received = receive(socket);
    for (let at = 0; at < mixed.length; at += length) {
      socket.write(mixed.slice(at, at + length));
      await nextTurn();
    }
    expect(await received).toEqual(answers);
  },
);

test.each([
  'POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n',
  'POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n493e0\r\n',
])('a body that is read slowly comes whole, and the request behind it is answered', async (head) => {
  const socket = await open(({ request, response }) => {
    if (request.url === '/z') return void response.end('<z>');
    const read = async (): Promise<void> => {
      let length = 0;
      for await (const chunk of request) {
        length += (chunk as Buffer).length;
        await nextTurn();
      }
      response.end(`<${length}>`);
    };
    void read();
  });
  const received = receive(socket);
  const end = head.includes('chunked') ? '\r\n0\r\n\r\n' : '';
  socket.write(`${head}${'b'.repeat(300_000)}${end}${get('/z', 'Connection: close\r\n')}`);
  expect(await received).toEqual(['<300000>', '<z>']);
});

test('a request behind one whose body was not waited for is answered', async () => {
  const socket = await open(({ request, response }) => void response.end(`<${request.url}>`));
  const received = receive(socket);
  socket.write('POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nb');
  await nextTurn();
  socket.write(`${'b'.repeat(99_999)}${get('/z', 'Connection: close\r\n')}`);
  expect(await received).toEqual(['</b>', '</z>']);
});
