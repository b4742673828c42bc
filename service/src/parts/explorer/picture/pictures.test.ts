import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import sharp from 'sharp';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createHttpMetrics } from '../../../http/http-metrics.ts';
import { createServer, stopServer } from '../../../http/server.ts';
import { createExplorerPart } from '../explorer-part.ts';
import type { Face } from '../face/read-face.ts';
import { createPictures } from './pictures.ts';

const dir = mkdtempSync(join(tmpdir(), 'coinfront-pictures-'));
mkdirSync(join(dir, 'assets'));
writeFileSync(
  join(dir, 'index.html'),
  '<html lang="en"><head><!--head--></head><body><!--content--><!--data--></body></html>',
);
afterAll(() => rmSync(dir, { recursive: true }));

type Settings = { publicUrl?: string | undefined; face?: Face; rateLimitPerMinute?: number };

const hash = '0000ab'.padEnd(64, 'c');
const block = {
  hash,
  height: 1_234_567,
  tx_count: 2,
  size: 300,
  fees: '0.01000000',
  confirmations: 5,
  time: '2026-11-20T12:00:00.000Z',
};

/** The explorer over a socket, on an API that answers what a test says. */
async function start(settings: Settings = {}) {
  const { publicUrl, face, rateLimitPerMinute } = { publicUrl: 'https://coin.example', ...settings };
  const explorer = createExplorerPart({
    distDir: dir,
    coin: { name: 'Example', ticker: 'EX' },
    publicUrl,
    face,
  });
  const http = createServer({
    logger: pino({ level: 'silent' }),
    metrics: createHttpMetrics(),
    findPrivateKey: () => undefined,
    corsOrigins: '*',
    rateLimitPerMinute,
    trustedProxies: [],
    renderError: explorer.renderError,
    findSpelling: explorer.findSpelling,
  });
  explorer.register(http.app);
  const answers = new Map<string, unknown>([
    ['/api/v1/block/1234567?limit=1', block],
    ['/api/v1/block/1234567?limit=50', block],
    [
      '/api/v1/stats',
      { height: 7, transactions: 12, supply: { issued: '350.00000000', circulating: '350.00000000' } },
    ],
  ]);
  let height = '1234571';
  http.app.get('/api/*', (request, reply) => {
    const found = answers.get(request.url);
    return found === undefined
      ? reply.code(404).type('application/problem+json').send('{"code":"block_not_found"}')
      : reply.header('x-chain-height', height).send(found);
  });
  const origin = await http.app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => stopServer(http, 0));
  return {
    answers,
    setHeight: (next: string) => {
      height = next;
    },
    get: (path: string, headers: Record<string, string> = {}) => fetch(origin + path, { headers }),
  };
}

async function decode(answer: Response) {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    info,
    at: (x: number, y: number) => [...data.subarray(3 * (y * info.width + x), 3 * (y * info.width + x) + 3)],
    /** Pixels of an area that are darker than its ground: ink. */
    ink: (x: number, y: number, width: number, height: number) => {
      let found = 0;
      for (let row = y; row < y + height; row += 1) {
        for (let column = x; column < x + width; column += 1)
          if (data[3 * (row * info.width + column)]! < 128) found += 1;
      }
      return found;
    },
  };
}

type Area = readonly [x: number, y: number, width: number, height: number];
const title: Area = [80, 225, 1_040, 90];

test('the picture of a block is a PNG of 1200 x 630 with its words, and its page names it', async () => {
  const { get } = await start();
  const page = await (await get('/block/1234567', { accept: 'text/html' })).text();
  const url = /<meta property="og:image" content="https:\/\/coin\.example(\/picture\/[^"]+)">/.exec(
    page,
  )?.[1];
  expect(url).toBe('/picture/block/1234567.png');
  expect(page).toContain('<meta name="twitter:card" content="summary_large_image">');
  const answer = await get(url!);
  expect(answer.headers.get('x-chain-height')).toBe('1234571');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  const { info, at, ink } = await decode(answer);
  expect(info).toMatchObject({ width: 1_200, height: 630, channels: 3 });
  expect(at(600, 10)).toEqual([0xf7, 0xf7, 0xf4]);
  expect(at(5, 300)).toEqual([0x0b, 0x65, 0x5a]);
  const areas: Area[] = [title, [80, 325, 1_040, 40], [80, 410, 200, 90], [80, 550, 800, 40]];
  for (const area of areas) expect(ink(...area)).toBeGreaterThan(300);
});

test('every page but the search has a picture, and every page names its own', async () => {
  const { get } = await start();
  const map = await (await get('/sitemap.xml')).text();
  const paths = [...map.matchAll(/<loc>https:\/\/coin\.example([^<]*)<\/loc>/g)].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths) {
    const page = await (await get(path, { accept: 'text/html' })).text();
    const url = /property="og:image" content="https:\/\/coin\.example([^"]+)"/.exec(page)?.[1];
    expect([path, url]).toEqual([path, path === '/' ? '/picture/home.png' : `/picture${path}.png`]);
    const { info, ink } = await decode(await get(url!));
    expect(info).toMatchObject({ width: 1_200, height: 630 });
    expect(ink(...title)).toBeGreaterThan(500);
  }
  const search = await (await get('/search?q=zz', { accept: 'text/html' })).text();
  expect(search).toContain('<meta name="twitter:card" content="summary">');
  expect(search).not.toContain('og:image');
});

test('what is not there has no picture, and its page names none', async () => {
  const { get } = await start();
  const answer = await get('/picture/block/8.png');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(await answer.json()).toEqual({ code: 'block_not_found' });
  expect(await (await get('/block/8', { accept: 'text/html' })).text()).not.toContain('og:image');
  for (const path of ['/picture/block/1234567', '/picture/block/1234567.svg', '/picture/developers/x.png'])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test('a service that does not know its own address has no pictures', async () => {
  const { get } = await start({ publicUrl: undefined });
  expect(await (await get('/block/1234567', { accept: 'text/html' })).text()).not.toContain('og:image');
  expect((await get('/picture/block/1234567.png')).status).toBe(404);
});

test('a picture is asked again by its ETag, which changes with what is drawn', async () => {
  const { get, answers, setHeight } = await start();
  const first = await get('/picture/block/1234567.png');
  const etag = first.headers.get('etag')!;
  const same = await get('/picture/block/1234567.png', { 'if-none-match': etag });
  expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
  setHeight('1234572');
  const later = await get('/picture/block/1234567.png', { 'if-none-match': etag });
  expect(later.status).toBe(200);
  answers.set('/api/v1/block/1234567?limit=1', { ...block, confirmations: 6 });
  expect((await get('/picture/block/1234567.png')).headers.get('etag')).not.toBe(later.headers.get('etag'));
});

test('whatever a name holds, it stays in its place: directions, controls, markup, thousands of characters', async () => {
  const { get, answers } = await start();
  const path = '/api/vns/v1/availability/x';
  const hostile = [
    '\u202e\u2066evil\u0000\u0007',
    '</svg><script>alert(1)</script>',
    '中文😀\u{10ffff}',
    'W'.repeat(100_000),
    '\ud800',
    'a\u0301'.repeat(500),
  ];
  for (const name of hostile) {
    answers.set(path, { name, available: false, status: 'registered', expiry: null });
    const { ink, info } = await decode(await get('/picture/name/x.png'));
    expect(info).toMatchObject({ width: 1_200, height: 630 });
    expect(ink(...title)).toBeGreaterThan(100);
    // Nothing runs over the edges, or over the lines above and below.
    expect([name.slice(0, 10), ink(1_116, 120, 84, 400), ink(80, 140, 1_040, 45)]).toEqual([
      name.slice(0, 10),
      0,
      0,
    ]);
  }
});

test('drawing costs four units more than what is kept, and clients have limits', async () => {
  // Limits are by the minute of the clock.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-26T12:00:10Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { get } = await start({ rateLimitPerMinute: 40 });
  const left: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    const { status, headers } = await get('/picture/block/1234567.png');
    expect(status).toBe(200);
    left.push(Number(headers.get('ratelimit-remaining')));
  }
  // Five for the drawing, then one for its read; one and one where it is kept.
  expect(left).toEqual([35, 32, 30, 28]);
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await get('/picture/block/1234567.png')).status),
  );
  expect(statuses).toContain(429);
});

test('a coin has its own mark and accent in its pictures', async () => {
  const mark = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#ff00ff' } })
    .png()
    .toBuffer();
  const accent = { accent: '#7a1f5c', onAccent: '#ffffff' };
  const { get } = await start({
    face: { mark, links: [], colours: { light: accent, dark: { ...accent, accent: '#f0a8d8' } } },
  });
  const { at } = await decode(await get('/picture/home.png'));
  expect(at(5, 300)).toEqual([0x7a, 0x1f, 0x5c]);
  expect(at(100, 90)).toEqual([0xff, 0x00, 0xff]);
});

test('pictures that are kept take so many bytes at most, and too many that wait are refused', async () => {
  const pictures = createPictures({
    coinName: 'Example',
    publicUrl: 'https://coin.example',
    face: undefined,
    mostBytes: 60_000,
  });
  const card = (i: number) => ({ kind: 'Block', title: String(i), facts: [], foot: '' });
  const giveWay = async () => {};
  const drawn = [];
  for (let i = 0; i < 8; i += 1) drawn.push(await pictures.draw(card(i), giveWay));
  const kept = drawn.filter((_, i) => pictures.isKept(pictures.nameOf(card(i))));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(60_000);
  expect(pictures.isKept(pictures.nameOf(card(7)))).toBe(true);
  expect(pictures.isKept(pictures.nameOf(card(0)))).toBe(false);
  const many = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) => pictures.draw(card(100 + i), giveWay)),
  );
  const refused = many.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(24);
  expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } });
  await pictures.draw(card(200), giveWay);
});

test('a drawing gives way between its parts', async () => {
  const pictures = createPictures({
    coinName: 'Example',
    publicUrl: 'https://coin.example',
    face: undefined,
  });
  let times = 0;
  const facts = ['a', 'b', 'c', 'd'].map((label) => ({ label, value: '1' }));
  await pictures.draw({ kind: 'x', title: 'y', code: hash, facts, foot: 'z' }, async () => {
    times += 1;
  });
  expect(times).toBeGreaterThanOrEqual(7);
});
