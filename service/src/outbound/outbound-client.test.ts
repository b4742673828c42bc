import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createAuthority,
  createSelfSigned,
  type TestCertificate,
} from '../../../test/harness/certificates.ts';
import { type Receiver, startRawReceiver, startReceiver } from '../../../test/harness/receiver.ts';
import { createAllowList } from './allow-list.ts';
import { createOutboundClient, type OutboundOptions } from './outbound-client.ts';

const authority = createAuthority();
const certificate = authority.issue({ names: ['shop.example', '127.0.0.1'] });
const DAY_MS = 86_400_000;

const started: Receiver[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((receiver) => receiver.stop()));
});

async function keep(receiver: Promise<Receiver>): Promise<Receiver> {
  started.push(await receiver);
  return await receiver;
}

/** A client whose names all lead to 127.0.0.1, which is opened unless told otherwise. */
function createClient(options: Partial<OutboundOptions> = {}) {
  return createOutboundClient({
    allow: createAllowList(['127.0.0.1']),
    resolve: async () => ['127.0.0.1'],
    ca: [authority.cert],
    ...options,
  });
}

const request = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"a":"ü"}'),
});

/** Posts to a receiver by the name that its certificate is for. */
const post = (receiver: Receiver, client = createClient()) =>
  client.post(request(`https://shop.example:${receiver.port}/hook?b=c`));

describe('a good receiver', () => {
  test('gets the exact body, and its status and Retry-After are told', async () => {
    const receiver = await keep(
      startReceiver({
        certificate,
        answer: (response) => response.writeHead(503, { 'retry-after': '7' }).end('later'),
      }),
    );
    expect(await post(receiver)).toEqual({ status: 503, retryAfter: '7' });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook?b=c',
        headers: {
          host: `shop.example:${receiver.port}`,
          'content-type': 'application/json',
          'content-length': '10',
          connection: 'close',
        },
        body: Buffer.from('{"a":"ü"}'),
      },
    ]);
    await receiver.waitForClosed();
  });

  test('may be an address that the operator opened, encrypted or not', async () => {
    const secure = await keep(startReceiver({ certificate }));
    const plain = await keep(startReceiver());
    const client = createClient();
    expect(await client.post(request(`https://127.0.0.1:${secure.port}/`))).toMatchObject({ status: 204 });
    expect(await client.post(request(`http://127.0.0.1:${plain.port}/`))).toMatchObject({ status: 204 });
  });

  test('is reached by the next of its addresses when the first does not answer', async () => {
    const receiver = await keep(startReceiver({ certificate }));
    const client = createClient({
      allow: createAllowList(['127.0.0.0/8']),
      resolve: async () => ['127.0.0.77', '127.0.0.1'],
    });
    expect(await post(receiver, client)).toMatchObject({ status: 204 });
  });
});

describe('what leads inside', () => {
  const closed = createAllowList([]);

  test.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.01',
    '127.1',
    '①②⑦.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
  ])('%s is not connected to', async (host) => {
    const receiver = await keep(startReceiver());
    for (const scheme of ['http', 'https'])
      await expect(
        createClient({ allow: closed }).post(request(`${scheme}://${host}:${receiver.port}/`)),
      ).rejects.toThrow(/public internet/);
    expect(receiver.connections()).toBe(0);
  });

  test.each([
    [['127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['::1']],
    [['8.8.8.8', '127.0.0.1']],
    [['2606:4700:4700::1111', 'fe80::1']],
    [['169.254.169.254']],
    [['64:ff9b::7f00:1']],
  ])('a name with the addresses %j is not connected to', async (addresses) => {
    const receiver = await keep(startReceiver());
    const failure = await post(
      receiver,
      createClient({ allow: closed, resolve: async () => addresses }),
    ).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'OutboundError' });
    expect((failure as Error).message).toBe('The host has an address that is not of the public internet.');
    expect(receiver.connections()).toBe(0);
  });

  test('a name is looked up once for each request, and only what was looked up is connected to', async () => {
    // Two addresses of loopback stand for one outside, which is opened, and one inside, which is not.
    const outside = await keep(startReceiver({ certificate, host: '127.0.0.2' }));
    const inside = await keep(startReceiver({ certificate, host: '127.0.0.3' }));
    let lookups = 0;
    const client = createClient({
      allow: createAllowList(['127.0.0.2']),
      resolve: async () => {
        lookups += 1;
        return [lookups === 1 ? '127.0.0.2' : '127.0.0.3'];
      },
    });
    expect(await post(outside, client)).toMatchObject({ status: 204 });
    expect(lookups).toBe(1);
    await expect(post(inside, client)).rejects.toThrow('public internet');
    expect(lookups).toBe(2);
    expect(inside.connections()).toBe(0);
  });

  test('a redirect is an answer, and nothing follows it', async () => {
    const inside = await keep(startReceiver());
    const location = `http://127.0.0.1:${inside.port}/`;
    const receiver = await keep(
      startReceiver({ certificate, answer: (response) => response.writeHead(307, { location }).end() }),
    );
    expect(await post(receiver)).toEqual({ status: 307, retryAfter: undefined });
    expect(inside.connections()).toBe(0);
  });

  test('without encryption only what the operator opened is connected to', async () => {
    const receiver = await keep(startReceiver());
    const client = createClient({ resolve: async () => ['8.8.8.8'] });
    await expect(client.post(request(`http://shop.example:${receiver.port}/`))).rejects.toThrow(
      'not encrypted',
    );
  });
});

describe('certificates', () => {
  const cases: [string, TestCertificate, string][] = [
    ['for another host', authority.issue({ names: ['other.example'] }), 'for another host'],
    [
      'that has expired',
      authority.issue({ names: ['shop.example'], notAfter: new Date(Date.now() - DAY_MS) }),
      'has expired',
    ],
    ['that is self-signed', createSelfSigned({ names: ['shop.example'] }), 'self-signed'],
    [
      'of an unknown authority',
      createAuthority('Somebody').issue({ names: ['shop.example'] }),
      'not trusted',
    ],
  ];
  test.each(cases)('one %s is refused before anything is sent', async (_, wrong, reason) => {
    const receiver = await keep(startReceiver({ certificate: wrong }));
    await expect(post(receiver)).rejects.toThrow(reason);
    expect(receiver.received).toEqual([]);
  });

  test('by default only the authorities that Node trusts are', async () => {
    const receiver = await keep(startReceiver({ certificate }));
    await expect(post(receiver, createClient({ ca: undefined }))).rejects.toThrow('not trusted');
  });
});

describe('a hostile receiver', () => {
  const hasty = { limits: { connectTimeoutMs: 200, totalTimeoutMs: 400 } };
  /** Connects also on a busy machine, and waits no longer for the answer. */
  const impatient = { limits: { connectTimeoutMs: 2_900, totalTimeoutMs: 3_000 } };

  async function startHostile(serve: (socket: Socket) => unknown): Promise<Receiver> {
    return await keep(startRawReceiver(serve, { certificate }));
  }

  test('that never answers the handshake is left', async () => {
    const receiver = await keep(startRawReceiver(() => {}));
    await expect(post(receiver, createClient(hasty))).rejects.toThrow('No connection could be made in time.');
    await receiver.waitForClosed();
  });

  test('whose name server never answers is left', async () => {
    const receiver = await keep(startReceiver({ certificate }));
    const resolve = () => new Promise<never>(() => {});
    await expect(post(receiver, createClient({ ...hasty, resolve }))).rejects.toThrow('No connection');
  });

  test('that never answers the request is left', async () => {
    const receiver = await startHostile((socket) => socket.resume());
    await expect(post(receiver, createClient(impatient))).rejects.toThrow('no answer within 3 s');
    await receiver.waitForClosed();
  });

  test('that does not read the request is left', async () => {
    const paused: Socket[] = [];
    let isLeft = false;
    // On a busy machine the connection may be accepted only when nobody waits any more.
    const receiver = await startHostile((socket) => {
      if (isLeft) socket.resume();
      else paused.push(socket.pause());
    });
    const big = { ...request(`https://shop.example:${receiver.port}/`), body: Buffer.alloc(20_000_000) };
    await expect(createClient(impatient).post(big)).rejects.toThrow('no answer within');
    isLeft = true;
    for (const socket of paused) socket.resume();
    await receiver.waitForClosed();
  });

  test('that drips its headers is left', async () => {
    const receiver = await startHostile((socket) => {
      const drip = setInterval(() => socket.write('H'), 50);
      socket.on('close', () => clearInterval(drip));
      socket.resume();
    });
    await expect(post(receiver, createClient(impatient))).rejects.toThrow(/no answer within|not valid HTTP/);
    await receiver.waitForClosed();
  });

  test('that drips its body has answered by its status, and is left', async () => {
    const receiver = await startHostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('a'), 50);
      socket.on('close', () => clearInterval(drip));
      socket.resume();
    });
    expect(await post(receiver, createClient(impatient))).toEqual({ status: 200, retryAfter: undefined });
    await receiver.waitForClosed();
  });

  test('that answers with 100 MB is cut after a few', async () => {
    const whole = 100_000_000;
    let sent = 0;
    const receiver = await startHostile((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${whole}\r\n\r\n`);
      const chunk = Buffer.alloc(65_536);
      const pump = (): void => {
        while (!socket.destroyed && sent < whole) {
          sent += chunk.length;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on('drain', pump);
      socket.resume();
      pump();
    });
    expect(await post(receiver)).toEqual({ status: 200, retryAfter: undefined });
    await receiver.waitForClosed();
    expect(sent).toBeLessThan(whole / 5);
  });

  test.each([
    ['headers without end', 'HTTP/1.1 200 OK\r\n', () => `X-Filler: ${'a'.repeat(1_000)}\r\n`, 'headers'],
    ['interim answers without end', '', () => 'HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n', 'too large'],
  ])('that sends %s is cut', async (_, first, next, reason) => {
    const receiver = await startHostile((socket) => {
      socket.write(first);
      const pump = (): void => {
        while (!socket.destroyed && socket.write(next()));
        if (!socket.destroyed) socket.once('drain', () => setImmediate(pump));
      };
      socket.resume();
      socket.once('data', pump);
    });
    await expect(post(receiver)).rejects.toThrow(reason);
    await receiver.waitForClosed();
  });

  test('that sends a chunk extension without end is cut', async () => {
    const receiver = await startHostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;');
      const pump = (): void => {
        while (!socket.destroyed && socket.write('a'.repeat(10_000)));
        if (!socket.destroyed) socket.once('drain', () => setImmediate(pump));
      };
      socket.resume();
      socket.once('data', pump);
    });
    expect(await post(receiver)).toMatchObject({ status: 200 });
    await receiver.waitForClosed();
  });

  test.each([
    ['closes at once', (socket: Socket) => socket.destroy(), /closed before/],
    ['ends after the request', (socket: Socket) => socket.once('data', () => socket.end()), /closed before/],
    ['speaks something else', (socket: Socket) => socket.end('SSH-2.0-x\r\n'), /not valid HTTP/],
    ['answers 100', (socket: Socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'), /closed before/],
    [
      'changes the protocol',
      (socket: Socket) =>
        socket.once('data', () =>
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
        ),
      /closed before/,
    ],
  ])('that %s is a failure', async (_, serve, reason) => {
    const receiver = await startHostile(serve);
    await expect(post(receiver)).rejects.toThrow(reason);
    await receiver.waitForClosed();
  });

  test('no failure tells an address', async () => {
    const receiver = await keep(startReceiver({ certificate }));
    await receiver.stop();
    started.length = 0;
    const failure = await post(receiver).catch((error: Error) => error);
    expect(failure).toMatchObject({ message: 'The connection was refused.' });
  });
});

test('closing cuts off what is under way', async () => {
  const receiver = await keep(startRawReceiver((socket) => socket.resume(), { certificate }));
  const client = createClient();
  const posted = post(receiver, client).catch((error: Error) => error.message);
  await receiver.waitForConnections(1);
  client.close();
  expect(await posted).toBe('The request was cut off.');
  await receiver.waitForClosed();
});
