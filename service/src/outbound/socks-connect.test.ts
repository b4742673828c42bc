import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { listenOnLoopback, startSocksServer } from '../testing/socks-server.ts';
import { OutboundError } from './outbound-error.ts';
import { connectBySocks, ProxyError } from './socks-connect.ts';

const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.close()));
});

const name = 'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion';
const never = new AbortController().signal;

async function startEcho(): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('hello ');
    socket.pipe(socket);
  });
  const port = await listenOnLoopback(server);
  started.push({ close: async () => void server.close() });
  return port;
}

/** A proxy that answers with these bytes, whatever it is asked. */
async function startRaw(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    serve(socket);
  });
  started.push({
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return await listenOnLoopback(server);
}

const ask = (port: number, signal = never, greetingMs = 60_000) =>
  connectBySocks({ host: '127.0.0.1', port }, { name, port: 29_666 }, greetingMs, signal);

test('a connection leads through the proxy to the name, which only the proxy learns', async () => {
  const echo = await startEcho();
  const proxy = await startSocksServer({ routes: new Map([[`${name}:29666`, echo]]) });
  started.push(proxy);
  const socket = await ask(proxy.port);
  socket.write('world');
  let got = '';
  for await (const chunk of socket) {
    got += String(chunk);
    if (got.length === 11) break;
  }
  expect(got).toBe('hello world');
  expect(proxy.asked).toEqual([`${name}:29666`]);
});

test('what the host says together with the answer of the proxy is not lost', async () => {
  const port = await startRaw((socket) => {
    socket.once('data', () => {
      socket.write(Uint8Array.of(5, 0));
      socket.once('data', () => {
        // Byte by byte, and then the answer's end with the host's first words.
        for (const byte of [5, 0, 0, 3, 2, 97]) socket.write(Uint8Array.of(byte));
        socket.end(Buffer.concat([Buffer.from([98, 0, 1]), Buffer.from('first words')]));
      });
    });
  });
  const socket = await ask(port);
  let got = '';
  for await (const chunk of socket) got += String(chunk);
  expect(got).toBe('first words');
});

test('a name that the proxy cannot reach is no fault of the proxy', async () => {
  const proxy = await startSocksServer({ routes: new Map() });
  started.push(proxy);
  const failed = await ask(proxy.port).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(OutboundError);
  expect(failed).not.toBeInstanceOf(ProxyError);
});

describe('the proxy is at fault that', () => {
  const answers: [string, (socket: Socket) => void][] = [
    ['asks for a password', (socket) => socket.write(Uint8Array.of(5, 2))],
    ['has no method', (socket) => socket.write(Uint8Array.of(5, 0xff))],
    ['speaks SOCKS4', (socket) => socket.write(Uint8Array.of(4, 0))],
    ['speaks HTTP', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['closes', (socket) => socket.end()],
    ['closes in the middle', (socket) => socket.end(Uint8Array.of(5))],
    ['does not allow it', (socket) => socket.write(Uint8Array.of(5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0))],
    ['answers with another kind of address', (socket) => socket.write(Uint8Array.of(5, 0, 5, 0, 0, 9, 0, 0))],
    ['closes behind its answer', (socket) => socket.end(Uint8Array.of(5, 0, 5, 0, 0, 1, 0, 0))],
  ];
  test.each(answers)('%s', async (_, serve) => {
    await expect(ask(await startRaw(serve))).rejects.toBeInstanceOf(ProxyError);
  });

  test('never says anything', async () => {
    await expect(ask(await startRaw(() => {}), never, 100)).rejects.toBeInstanceOf(ProxyError);
  });

  test('is not there', async () => {
    const server = createServer();
    const port = await listenOnLoopback(server);
    server.close();
    await once(server, 'close');
    await expect(ask(port)).rejects.toBeInstanceOf(ProxyError);
  });
});

test('a proxy that never connects is left when the time is over, and its connection closed', async () => {
  const closed = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const port = await startRaw((socket) => {
    socket.on('close', () => closed.resolve());
    socket.once('data', () => {
      socket.write(Uint8Array.of(5, 0));
      socket.once('data', () => asked.resolve());
    });
  });
  const limit = new AbortController();
  const waiting = ask(port, limit.signal);
  await asked.promise;
  limit.abort(new Error('time is over'));
  await expect(waiting).rejects.toThrow('time is over');
  await closed.promise;
});

test('names that do not fit are not sent', async () => {
  for (const wrong of ['', 'a'.repeat(256), 'a b.onion', 'ü.onion', 'a\n.onion'])
    await expect(
      connectBySocks({ host: '127.0.0.1', port: 1 }, { name: wrong, port: 1 }, 1_000, never),
    ).rejects.toThrow('cannot be sent');
});
