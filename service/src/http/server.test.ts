import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReadChain } from '../chain/chain-reads.ts';
import { errorCodes } from '../errors.ts';
import {
  addressOf,
  createFixtureServer,
  type FixtureOverrides,
  fixtureFacts,
  makeFixtureChain,
  makeUnknownTx,
  miner,
  polled,
  scriptOf,
} from '../testing/fixture-server.ts';
import { readFixture } from '../testing/fixture-view.ts';
import { maxConnections } from './connections.ts';
import { stopServer } from './server.ts';

type Server = ReturnType<typeof createFixtureServer>;

const running: Server[] = [];
afterEach(async () => {
  for (const { app } of running.splice(0)) await app.close();
});

async function listen(overrides: FixtureOverrides = {}): Promise<Server & { port: number; url: string }> {
  const server = createFixtureServer(overrides);
  running.push(server);
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  return { ...server, port, url: `http://127.0.0.1:${port}` };
}

/** Writes bytes to a socket and returns everything that comes back until it is closed. */
async function speak(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return answer;
}

/** Sends bytes and reads nothing. */
function ask(port: number, bytes: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(bytes);
  return socket;
}

function problemOf(raw: string) {
  const [head = '', body = ''] = raw.split('\r\n\r\n');
  expect(head).toContain('application/problem+json');
  return JSON.parse(body);
}

/** A fixture whose reads of blocks are counted. */
function countReads(count: () => void) {
  const chain = makeFixtureChain();
  const readChain: ReadChain = (read) =>
    readFixture(chain)((view) =>
      read({
        ...view,
        findBlockAt: (height) => {
          count();
          return view.findBlockAt(height);
        },
      }),
    );
  return { chain, readChain };
}

const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
const xprv =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
const mnemonic = `${'abandon '.repeat(11)}about`;

describe('snapshot headers', () => {
  test('a read names its tip, and 304 is answered while nothing has changed', async () => {
    const { app, chain } = createFixtureServer();
    const first = await app.inject('/api/v1/blocks');
    expect(first.headers['x-chain-height']).toBe('120');
    expect(first.headers['x-chain-tip']).toMatch(/^[0-9a-f]{64}$/);
    const headers = { 'if-none-match': String(first.headers.etag) };
    const second = await app.inject({ url: '/api/v1/blocks', headers });
    expect([second.statusCode, second.body]).toEqual([304, '']);
    expect(second.headers.etag).toBe(first.headers.etag);
    chain.addBlock(scriptOf(miner));
    expect((await app.inject({ url: '/api/v1/blocks', headers })).statusCode).toBe(200);
  });

  test('304 is answered to whoever has any answer, where there is one', async () => {
    const { app } = createFixtureServer();
    const headers = { 'if-none-match': '*' };
    const missing = `/api/v1/tx/${'0'.repeat(64)}`;
    expect((await app.inject({ url: missing, headers })).statusCode).toBe(404);
    for (const round of ['first', 'kept']) {
      expect((await app.inject({ url: '/api/v1/blocks', headers })).statusCode, round).toBe(304);
    }
  });

  test('304 is answered before the route does any work', async () => {
    const { app } = createFixtureServer();
    const { etag } = (await app.inject('/api/v1/blocks')).headers;
    const headers = { 'if-none-match': `"other", ${etag}` };
    // The cursor is not valid, which only the route itself would find out.
    const response = await app.inject({ url: '/api/v1/blocks?cursor=AAAA', headers });
    expect(response.statusCode).toBe(304);
  });

  test('only what shows the mempool changes its ETag with the mempool', async () => {
    const { app, chain } = createFixtureServer();
    const tags = async () => [
      (await app.inject('/api/v1/blocks')).headers.etag,
      (await app.inject(`/api/v1/address/${addressOf(miner)}`)).headers.etag,
    ];
    const before = await tags();
    chain.mempool = { ...chain.mempool, version: chain.mempool.version + 1 };
    const after = await tags();
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('what was written once is sent again without reading, until the snapshot changes', async () => {
    let reads = 0;
    const { chain, readChain } = countReads(() => {
      reads += 1;
    });
    const { app } = createFixtureServer({ chain, context: { readChain } });
    const ask = (url: string, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url });
    const first = await ask('/api/v1/block/7');
    expect(reads).toBeGreaterThan(0);
    reads = 0;
    const second = await ask('/api/v1/block/7');
    const head = await ask('/api/v1/block/7', 'HEAD');
    expect(reads).toBe(0);
    expect(second.body).toBe(first.body);
    const { date: _, ...headers } = first.headers;
    expect(second.headers).toMatchObject(headers);
    expect(head.headers).toMatchObject(headers);
    expect((await ask('/api/v1/block/8')).json().height).toBe(8);
    chain.addBlock(scriptOf(miner));
    expect((await ask('/api/v1/block/7')).json().confirmations).toBe(first.json().confirmations + 1);
  });

  test('what hangs on more than the snapshot is named by what it says', async () => {
    let blocks = 120;
    const { app, chain } = createFixtureServer({
      context: { getNodeState: () => polled({ ...fixtureFacts, blocks }) },
    });
    const first = await app.inject('/api/v1/status');
    expect(first.headers.etag).toMatch(/^W\/"[\w-]+"$/);
    const ask = (tag: unknown, method: 'GET' | 'HEAD' = 'GET') =>
      app.inject({ method, url: '/api/v1/status', headers: { 'if-none-match': String(tag) } });
    for (const tag of [first.headers.etag, String(first.headers.etag).slice(2), '*']) {
      const again = await ask(tag);
      expect([again.statusCode, again.body], String(tag)).toEqual([304, '']);
      expect(again.headers).toMatchObject({ etag: first.headers.etag, 'x-chain-height': '120' });
    }
    expect((await ask(first.headers.etag, 'HEAD')).statusCode).toBe(304);
    blocks = 121;
    expect((await ask(first.headers.etag)).statusCode).toBe(200);
    blocks = 120;
    chain.mempool = { ...chain.mempool, version: chain.mempool.version + 1 };
    expect((await ask(first.headers.etag)).statusCode).toBe(200);
  });

  test('a document is named by its text, and not sent to whoever has it', async () => {
    const { app } = createFixtureServer();
    for (const url of ['/api/v1/openapi.json', '/esplora/openapi.json', '/api/v1/config']) {
      const { etag } = (await app.inject(url)).headers;
      const again = await app.inject({ url, headers: { 'if-none-match': `"x", ${etag}` } });
      expect([again.statusCode, again.body, again.headers.etag], url).toEqual([304, '', etag]);
    }
  });

  test('state of the moment and answers to POST have no ETag', async () => {
    const { app } = createFixtureServer();
    expect((await app.inject('/api/v1/health')).headers.etag).toBeUndefined();
    const sent = await app.inject({ method: 'POST', url: '/esplora/tx', payload: makeUnknownTx().hex });
    expect([sent.statusCode, sent.headers.etag]).toEqual([200, undefined]);
  });

  test('an error carries no ETag and is not kept', async () => {
    const { app } = createFixtureServer();
    const response = await app.inject('/api/v1/block/999');
    expect(response.headers.etag).toBeUndefined();
    expect(response.headers['cache-control']).toBe('no-store');
  });
});

describe('methods', () => {
  test('HEAD answers what GET does, without a body', async () => {
    const { app } = createFixtureServer();
    const get = await app.inject('/api/v1/blocks');
    const head = await app.inject({ method: 'HEAD', url: '/api/v1/blocks' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers.etag).toBe(get.headers.etag);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test('another method is 405 and says which are allowed', async () => {
    const { app } = createFixtureServer();
    const response = await app.inject({ method: 'DELETE', url: '/api/v1/broadcast' });
    expect([response.statusCode, response.json().code]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.allow).toBe('OPTIONS, POST');
  });

  test('a preflight says what a page of another origin may do: to send the API key of a merchant is not among it', async () => {
    const { app } = createFixtureServer();
    const response = await app.inject({
      method: 'OPTIONS',
      url: '/api/v1/broadcast',
      headers: { origin: 'https://wallet.example', 'access-control-request-method': 'POST' },
    });
    expect(response.statusCode).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'OPTIONS, POST',
      'access-control-allow-headers': 'Content-Type, If-None-Match, Idempotency-Key',
    });
  });

  test('OPTIONS of nothing is 404', async () => {
    const { app } = createFixtureServer();
    expect((await app.inject({ method: 'OPTIONS', url: '/nothing' })).statusCode).toBe(404);
  });

  test('listed origins are echoed, others get nothing', async () => {
    const { app } = createFixtureServer({ server: { corsOrigins: ['https://a.example'] } });
    const ask = async (origin: string) =>
      (await app.inject({ url: '/api/v1/health', headers: { origin } })).headers;
    expect((await ask('https://a.example'))['access-control-allow-origin']).toBe('https://a.example');
    const other = await ask('https://b.example');
    expect(other['access-control-allow-origin']).toBeUndefined();
    expect(other.vary).toBe('Origin');
  });
});

describe('refusal of private keys', () => {
  const requests = [
    ['a WIF key in the path', { url: `/api/v1/address/${wif}` }],
    ['a WIF key in the query', { url: `/api/v1/search?q=${wif}` }],
    ['a WIF key in a path that does not exist', { url: `/${wif}` }],
    ['a percent-encoded WIF key', { url: `/api/v1/search?q=%4b${wif.slice(1)}` }],
    ['an extended private key', { url: `/api/v1/search?q=${xprv}` }],
    ['a mnemonic with plus signs', { url: `/api/v1/search?q=${mnemonic.replaceAll(' ', '+')}` }],
    ['a mnemonic with encoded spaces', { url: `/api/v1/search?q=${mnemonic.replaceAll(' ', '%20')}` }],
    ['a WIF key in a body', { method: 'POST', url: '/api/v1/broadcast', payload: { raw_tx: wif } }],
    [
      'a WIF key in a body, hidden by an escape',
      {
        method: 'POST',
        url: '/api/v1/broadcast',
        headers: { 'content-type': 'application/json' },
        payload: `{"raw_tx":"\\u004b${wif.slice(1)}"}`,
      },
    ],
    [
      'a mnemonic in a query, over its values',
      {
        url: `/api/v1/blocks?${mnemonic
          .split(' ')
          .map((word, i) => `w${i}=${word}`)
          .join('&')}`,
      },
    ],
    ['a mnemonic in a path', { url: `/no/${mnemonic.replaceAll(' ', '/')}` }],
    [
      'a mnemonic with encoded spaces that do not break',
      { url: `/api/v1/search?q=${mnemonic.replaceAll(' ', '%C2%A0')}` },
    ],
    [
      'a mnemonic in an array of a field that does not exist',
      { method: 'POST', url: '/api/v1/broadcast', payload: { raw_tx: '00', x: mnemonic.split(' ') } },
    ],
    [
      'a mnemonic on lines',
      { method: 'POST', url: '/api/v1/broadcast', payload: { raw_tx: mnemonic.replaceAll(' ', '\n') } },
    ],
    [
      'a WIF key in JSON that is broken',
      {
        method: 'POST',
        url: '/api/v1/broadcast',
        headers: { 'content-type': 'application/json' },
        payload: `{"raw_tx":"${wif}",`,
      },
    ],
    [
      'a WIF key in a header that is kept',
      {
        method: 'POST',
        url: '/api/v1/broadcast',
        headers: { 'idempotency-key': wif },
        payload: { raw_tx: '00' },
      },
    ],
    ['a mnemonic as text', { method: 'POST', url: '/esplora/tx', payload: mnemonic }],
  ] as const;

  test.each(requests)('%s is refused and not logged', async (_, request) => {
    const { app, log } = createFixtureServer();
    const response = await app.inject(request as object);
    expect(response.statusCode).toBe(400);
    expect(response.body).toMatch(/private key/);
    const written = log.join('') + response.body;
    expect(written).toContain('private_key_refused');
    for (const secret of [wif, wif.slice(1), xprv, 'abandon']) expect(written).not.toContain(secret);
  });

  test('a long body is looked through once its shape is right, and never echoed', async () => {
    const { app, log } = createFixtureServer();
    const hex = 'ab'.repeat(50_000);
    const send = (payload: object) => app.inject({ method: 'POST', url: '/api/v1/broadcast', payload });
    const post = (payload: string) => app.inject({ method: 'POST', url: '/esplora/tx', payload });
    const answers = [
      await send({ raw_tx: hex + mnemonic }),
      await send({ raw_tx: hex, [mnemonic]: wif }),
      await send({ raw_tx: hex, note: wif }),
      await post(`${hex} ${wif}`),
    ];
    for (const { statusCode, body } of answers) {
      expect([statusCode, body.includes('valid JSON')]).toEqual([400, false]);
      const written = log.join('') + body;
      for (const secret of [wif, wif.slice(0, 20), 'abandon']) expect(written).not.toContain(secret);
    }
    expect(answers[0]!.json().code).toBe('invalid_body');
  });

  test('txids, addresses and raw transactions are no keys', async () => {
    const { app, chain } = createFixtureServer();
    for (const { txid, raw } of chain.txs.slice(-6)) {
      const id = Buffer.from(txid).reverse().toString('hex');
      expect((await app.inject(`/api/v1/search?q=${id}`)).statusCode).toBe(200);
      const payload = { raw_tx: Buffer.from(raw).toString('hex') };
      expect((await app.inject({ method: 'POST', url: '/api/v1/broadcast', payload })).statusCode).toBe(200);
    }
  });
});

describe('limits', () => {
  test('a long body with more parts than any operation takes is refused before it is parsed', async () => {
    const { app } = createFixtureServer();
    const post = (payload: string) =>
      app.inject({
        method: 'POST',
        url: '/api/v1/broadcast',
        headers: { 'content-type': 'application/json' },
        payload,
      });
    for (const part of ['1,', '[', '{"a":', '"a":1,']) {
      // Cut off: it is no JSON, and nobody comes to notice.
      const { statusCode, json } = await post(`{"raw_tx":[${part.repeat(70_000)}`);
      expect([statusCode, json().code]).toEqual([400, 'invalid_body']);
      expect(json().detail).toContain('4096 commas and brackets');
    }
    const few = await post(`{"raw_tx":"${'ab'.repeat(40_000)}","notes":[${'1,'.repeat(4_000)}`);
    expect(few.json().detail).not.toContain('commas');
    const short = await post(`{"raw_tx":[${'1,'.repeat(30_000)}`);
    expect(short.json().detail).not.toContain('commas');
  });

  // A budget is that of a minute of the clock, which must not end between two requests.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  test('a client that has spent its budget is told when to come back', async () => {
    const { app } = createFixtureServer({ server: { rateLimitPerMinute: 3 } });
    const ask = () => app.inject('/api/v1/health');
    expect((await ask()).headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
    await ask();
    await ask();
    const refused = await ask();
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('paths that do not exist spend the budget as well', async () => {
    const { app } = createFixtureServer({ server: { rateLimitPerMinute: 2 } });
    const statuses = [];
    for (const url of ['/nothing', '/%zz', '/nothing']) statuses.push((await app.inject(url)).statusCode);
    expect(statuses).toEqual([404, 400, 429]);
  });

  test.each([
    ['POST', '/nothing'],
    ['PUT', '/api/v1/broadcast'],
    ['OPTIONS', '/nothing'],
    ['DELETE', '/api/v1/health'],
    ['PATCH', '/%zz'],
  ] as const)('the body of a %s to %s is not parsed, and spends the budget', async (method, url) => {
    const { app } = createFixtureServer({ server: { rateLimitPerMinute: 2 } });
    const headers = { 'content-type': 'application/json' };
    const ask = () => app.inject({ method, url, headers, payload: '{ this is no JSON' });
    expect((await ask()).json().code).not.toBe('invalid_body');
    expect((await ask()).json().code).not.toBe('invalid_body');
    expect((await ask()).json().code).toBe('rate_limited');
  });

  test('bytes are charged: those of a body when it is announced, those of an answer when it is sent', async () => {
    const { app } = createFixtureServer({ server: { rateLimitPerMinute: 1_000 } });
    const remaining = async (request: object): Promise<number> => {
      await app.inject(request);
      return Number((await app.inject('/api/v1/health')).headers['ratelimit-remaining']);
    };
    const broadcast = (bytes: number) => ({
      method: 'POST',
      url: '/api/v1/broadcast',
      payload: { raw_tx: 'ab'.repeat(bytes / 2) },
    });
    expect(await remaining(broadcast(1_000))).toBe(1_000 - 10 - 1);
    // Twenty times 64 KiB, and a little.
    expect(await remaining(broadcast(20 * 65_536))).toBe(989 - 30 - 1);
    const document = await app.inject('/api/v1/openapi.json');
    const units = Math.floor(document.body.length / 65_536);
    expect(units).toBeGreaterThan(0);
    const left = Number((await app.inject('/api/v1/health')).headers['ratelimit-remaining']);
    expect(left).toBe(958 - 1 - units - 1);
  });

  /** Statuses of requests with these `X-Forwarded-For`, from an address, of which a client has one. */
  async function spend(trustedProxies: string[], forwarded: string[], remoteAddress = '127.0.0.1') {
    const { app } = createFixtureServer({ server: { rateLimitPerMinute: 1, trustedProxies } });
    const statuses = [];
    for (const each of forwarded) {
      const headers = { 'x-forwarded-for': each };
      statuses.push((await app.inject({ url: '/api/v1/health', headers, remoteAddress })).statusCode);
    }
    return statuses;
  }

  test('a client behind a trusted proxy is counted by its own address, and nobody else can pretend', async () => {
    expect(await spend(['loopback'], ['203.0.113.1', '203.0.113.2'])).toEqual([200, 200]);
    expect(await spend([], ['203.0.113.1', '203.0.113.2'])).toEqual([200, 429]);
    // What the client wrote itself stands before what the proxy knows.
    expect(await spend(['loopback'], ['198.51.100.1, 203.0.113.1', '198.51.100.2, 203.0.113.1'])).toEqual([
      200, 429,
    ]);
    expect(await spend(['loopback'], ['\u00e9, 203.0.113.1', '203.0.113.1'])).toEqual([200, 429]);
  });

  test.each([
    ['ports', ['203.0.113.1:1111', '203.0.113.1:2222', '203.0.113.1']],
    ['IPv4 inside IPv6', ['::ffff:203.0.113.1', '[::FFFF:cb00:7101]:443', '203.0.113.1']],
    ['addresses of a /64', ['2001:db8::1', '[2001:DB8::2]:443', '2001:0db8:0:0:1:2:3:4%eth0']],
    ['what is no address', ['unknown', '_gazonk', '203.0.113.999']],
    ['proxies in a row, with ports', ['203.0.113.1, 10.0.0.1:80', '203.0.113.1,10.0.0.2', '203.0.113.1']],
  ])('%s in X-Forwarded-For make no other client', async (_, forwarded) => {
    expect(await spend(['loopback', '10.0.0.0/8'], forwarded)).toEqual([200, 429, 429]);
  });

  test('a proxy is trusted in any notation of its address', async () => {
    const two = ['203.0.113.1', '203.0.113.2'];
    expect(await spend(['10.0.0.0/8'], two, '::ffff:10.1.2.3')).toEqual([200, 200]);
    expect(await spend(['2001:db8::/32'], two, '2001:DB8:0:0::1')).toEqual([200, 200]);
    expect(await spend(['10.0.0.0/8'], two, '11.0.0.1')).toEqual([200, 429]);
  });

  test('who has a /48 has 16 budgets, whatever the proxy calls its addresses, and takes nothing from others', async () => {
    const forms = ['2001:db8:1:0::1', '[2001:db8:1:100::1]:443', '2001:db8:1:200::%1'];
    const site = Array.from({ length: 40 }, (_, i) => `2001:db8:1:${(i * 256).toString(16)}::1`);
    const statuses = await spend(['loopback'], [...forms, ...site, '2001:db8:2::1', '203.0.113.1']);
    expect(statuses.filter((status) => status === 200).length).toBe(16 + 2);
    expect(statuses.slice(-2)).toEqual([200, 200]);
  });

  test('bodies, content types and addresses beyond the limits have their own codes', async () => {
    const { app } = createFixtureServer();
    const post = (payload: string, type: string) =>
      app.inject({ method: 'POST', url: '/api/v1/broadcast', payload, headers: { 'content-type': type } });
    const large = await post(JSON.stringify({ raw_tx: 'ab'.repeat(1_100_000) }), 'application/json');
    expect([large.statusCode, large.json().code]).toEqual([413, 'body_too_large']);
    const wrong = await post('<a/>', 'text/xml');
    expect([wrong.statusCode, wrong.json().code]).toEqual([415, 'unsupported_media_type']);
    const long = await app.inject(`/api/v1/search?q=${'a'.repeat(3000)}`);
    expect([long.statusCode, long.json().code]).toEqual([414, 'uri_too_long']);
  });

  test('16 KiB of a body are read unless an operation says otherwise', async () => {
    const { app } = createFixtureServer();
    app.post('/echo', async () => 'read');
    const send = (length: number) =>
      app.inject({ method: 'POST', url: '/echo', payload: { note: '-'.repeat(length) } });
    expect((await send(16_000)).statusCode).toBe(200);
    expect((await send(16_384)).json()).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  test.each([
    ['[]', 'invalid_body'],
    ['null', 'invalid_body'],
    ['', 'invalid_body'],
    ['{', 'invalid_body'],
    ['{"raw_tx":5}', 'invalid_body'],
    ['{"raw_tx":"00","more":1}', 'invalid_body'],
    ['{"__proto__":{"raw_tx":"00"}}', 'invalid_body'],
    ['{"raw_tx":null}', 'invalid_body'],
  ])('the body %s is refused, nothing is coerced or dropped', async (payload, code) => {
    const { app } = createFixtureServer();
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: '/api/v1/broadcast', payload, headers });
    expect([response.statusCode, response.json().code]).toEqual([400, code]);
  });
});

describe('on a real socket', () => {
  test('a client holds so many connections, and others still get in', async () => {
    const { app, port, refusals } = await listen({ server: { rateLimitPerMinute: 600 } });
    const held = new Map<number | undefined, Socket>();
    app.server.on('connection', (socket: Socket) => held.set(socket.remotePort, socket));
    const open = (localAddress: string) => connect({ port, host: '127.0.0.1', localAddress });
    const isServed = async (localAddress: string) => {
      const socket = open(localAddress);
      socket.write('GET /api/v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const [data] = await once(socket, 'data');
      return String(data).startsWith('HTTP/1.1 200 ');
    };
    const greedy = Array.from({ length: maxConnections.ofClient }, () => open('127.0.0.77'));
    await Promise.all(greedy.map((socket) => once(socket, 'connect')));
    const over = open('127.0.0.77').on('error', () => undefined);
    await once(over, 'close');
    expect(await isServed('127.0.0.78')).toBe(true);
    expect(refusals.map(({ list }) => Object.fromEntries(list()))).toEqual([{}, { ipv4: 1 }]);
    const freed = once(held.get(greedy[0]!.localPort)!, 'close');
    greedy[0]!.destroy();
    await freed;
    expect(await isServed('127.0.0.77')).toBe(true);
    for (const socket of greedy) socket.destroy();
  });

  const timeouts = { headersMs: 200, requestMs: 300, keepAliveMs: 1000, stallMs: 500, checkEveryMs: 50 };

  test('a body that does not arrive is answered with 408', async () => {
    const { port } = await listen({ server: { timeouts } });
    const answer = await speak(
      port,
      'POST /api/v1/broadcast HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"raw',
    );
    expect(problemOf(answer)).toMatchObject({ status: 408, code: 'request_timeout' });
  });

  test.each(['/nothing', '/api/v1/blocks'])(
    'what no route answers is answered before its body has come, and the connection closed: %s',
    async (path) => {
      const { port } = await listen();
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
      for (const announced of ['Content-Length: 5000000', 'Transfer-Encoding: chunked']) {
        const answer = await speak(port, `${head}${announced}\r\n\r\n`);
        expect(['route_not_found', 'method_not_allowed']).toContain(problemOf(answer).code);
        expect(answer.toLowerCase()).toContain('connection: close');
      }
    },
  );

  test('a short body that nobody reads is dropped, and the connection goes on', async () => {
    const { port } = await listen();
    const post =
      'POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{ no JSON';
    const last = 'GET /api/v1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const answer = await speak(port, post + last);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  test('headers that do not arrive are answered with 408', async () => {
    const { port } = await listen({ server: { timeouts } });
    expect(problemOf(await speak(port, 'GET / HTTP/1.1\r\nHost: a\r\nX-'))).toMatchObject({ status: 408 });
  });

  test('a client that does not read what it asks for is cut off', async () => {
    const { app, port } = await listen({ server: { timeouts } });
    const [socket] = await Promise.all([
      once(app.server, 'connection').then(([accepted]) => accepted as Socket),
      // More than any buffer between the two holds.
      once(ask(port, 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(400)), 'connect'),
    ]);
    await once(socket, 'close');
    expect(socket.bytesWritten).toBeGreaterThan(0);
  });

  test('headers that are too large are answered with 431', async () => {
    const { port } = await listen();
    const answer = await speak(port, `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(problemOf(answer)).toMatchObject({ status: 431, code: 'headers_too_large' });
  });

  test.each(['\0\x01garbage\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n'])(
    'what is not HTTP is answered with 400: %j',
    async (bytes) => {
      const { port } = await listen();
      expect(problemOf(await speak(port, bytes))).toMatchObject({ status: 400, code: 'bad_request' });
    },
  );

  test('stopping accepts nothing new, finishes what is under way, and does not wait for kept connections', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const server = await listen({
      context: {
        readReleases: async () => {
          entered();
          await held;
          return { configured: false, changedAtMs: undefined, items: [] };
        },
      },
    });
    const response = fetch(`${server.url}/api/v1/releases`);
    await reached;
    const stopped = stopServer(server, 600_000);
    while (server.app.server.listening) await setImmediate();
    await expect(fetch(`${server.url}/api/v1/health`)).rejects.toThrow();
    release();
    expect((await response).status).toBe(200);
    await stopped;
  });
});

test.each(['/api/v1/broadcast', '/esplora/tx'])(
  'a compressed body of %s is refused, not taken for a broken one',
  async (url) => {
    const { app } = createFixtureServer();
    const plain = url.startsWith('/esplora')
      ? makeUnknownTx().hex
      : JSON.stringify({ raw_tx: makeUnknownTx().hex });
    const type = url.startsWith('/esplora') ? 'text/plain' : 'application/json';
    const send = (payload: Buffer, coding: string) =>
      app.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': type, 'content-encoding': coding },
      });
    const refused = await send(gzipSync(plain), 'gzip');
    expect([refused.statusCode, refused.headers['accept-encoding']]).toEqual([415, 'identity']);
    expect(refused.body).toContain('compressed');
    expect((await send(Buffer.from(plain), 'identity')).statusCode).toBe(200);
  },
);

test('every error is a problem document whose code belongs to the closed set', async () => {
  const { app } = createFixtureServer();
  for (const url of [
    '/',
    '/api/v1/block/x',
    '/api/v1/blocks?limit=0',
    '/api/v1/blocks?x=1',
    '/api/v1/blocks?limit=1&limit=2',
    '/%',
  ]) {
    const response = await app.inject(url);
    const problem = response.json();
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(errorCodes).toContain(problem.code);
    expect(problem).toMatchObject({
      status: response.statusCode,
      type: `urn:coinfront:error:${problem.code}`,
    });
    expect(problem.request_id).toBe(response.headers['x-request-id']);
  }
});

test('the log of a refused request has the route and never the address', async () => {
  const { app, log } = createFixtureServer();
  await app.inject('/api/v1/address/some-secret-text');
  await app.inject('/some/secret/path?with=secret');
  const refused = log.filter((line) => line.includes('request refused'));
  expect(refused).toHaveLength(2);
  expect(refused[0]).toContain('/api/v1/address/:address');
  expect(log.join('')).not.toContain('secret');
});

test('requests are counted by route', async () => {
  const { createHttpMetrics, renderHttpMetrics } = await import('./http-metrics.ts');
  const metrics = createHttpMetrics();
  const { app } = createFixtureServer({ server: { metrics } });
  await app.inject('/api/v1/block/1');
  await app.inject('/api/v1/block/999');
  const text = renderHttpMetrics(metrics.list());
  expect(text).toContain(
    'coinfront_http_request_seconds_count{method="GET",route="/api/v1/block/:id",status="2xx"} 1',
  );
  expect(text).toContain(
    'coinfront_http_request_seconds_count{method="GET",route="/api/v1/block/:id",status="4xx"} 1',
  );
});
