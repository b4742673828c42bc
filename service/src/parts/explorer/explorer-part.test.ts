import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { findPrivateKeyInJson } from '@coinfront/protocol/private-key.ts';
import pino from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createHttpMetrics } from '../../http/http-metrics.ts';
import { createServer } from '../../http/server.ts';
import { createExplorerPart } from './explorer-part.ts';
import type { CoinPart } from './pages.ts';
import { createPageRenderer } from './render-page.ts';

const dir = mkdtempSync(join(tmpdir(), 'coinfront-site-'));
afterAll(() => rmSync(dir, { recursive: true }));

const script = 'export const answer = 42;';

function makeSite(): string {
  const site = join(dir, 'site');
  mkdirSync(join(site, 'assets'), { recursive: true });
  writeFileSync(
    join(site, 'index.html'),
    '<html lang="en"><head><!--head--></head><body><div id="app"><!--content--></div><!--data--></body></html>',
  );
  writeFileSync(join(site, 'assets/base-1.js'), script);
  writeFileSync(join(site, 'assets/base-1.js.br'), brotliCompressSync(script));
  writeFileSync(join(site, 'assets/base-1.js.gz'), gzipSync(script));
  writeFileSync(join(site, 'assets/block-page-2.js'), script);
  return site;
}

type Settings = { rateLimitPerMinute?: number; publicUrl?: string | undefined; lacks?: readonly CoinPart[] };

function start(distDir: string, settings: Settings = {}) {
  const { rateLimitPerMinute, publicUrl, lacks = [] } = { publicUrl: 'https://coin.example', ...settings };
  const explorer = createExplorerPart({
    distDir,
    coin: { name: 'A & B <coin>', ticker: 'AB' },
    publicUrl,
    lacks,
  });
  const { app } = createServer({
    logger: pino({ level: 'silent' }),
    metrics: createHttpMetrics(),
    findPrivateKey: (value) => findPrivateKeyInJson(value, { wifVersion: 128 }),
    corsOrigins: '*',
    rateLimitPerMinute,
    trustedProxies: [],
    renderError: explorer.renderError,
    findSpelling: explorer.findSpelling,
  });
  explorer.register(app);
  app.get('/api/v1/block/:id', (request, reply) =>
    (request.params as { id: string }).id === '7'
      ? reply.send({
          height: 7,
          tx_count: 2,
          size: 300,
          time: '2026-11-20T12:00:00.000Z',
          hash: '</script><b>',
        })
      : reply.code(404).send({ code: 'block_not_found' }),
  );
  app.get('/api/v1/search', (request, reply) =>
    reply.send({
      items:
        (request.query as { q: string }).q === '7'
          ? [{ kind: 'block', id: 'ff', path: '/api/v1/block/7' }]
          : [],
    }),
  );
  return app;
}

const asBrowser = { accept: 'text/html' };

test('a page has its words and its first answers, and nothing of these ends the place where they stand', async () => {
  const answer = await start(makeSite()).inject({ url: '/block/7', headers: asBrowser });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('<title>Block 7 · A &amp; B &lt;coin&gt;</title>');
  expect(answer.body).toContain('<meta property="og:title" content="Block 7 · A &amp; B &lt;coin&gt;">');
  expect(answer.body).toContain('<meta property="og:url" content="https://coin.example/block/7">');
  expect(answer.body).toContain('2 transactions, 300 bytes, mined 2026-11-20 12:00:00 UTC');
  expect(answer.body).toContain('<link rel="modulepreload" href="/assets/block-page-2.js">');
  expect(answer.body).not.toContain('<b>');
  const data = /<script type="application\/json" id="data">(.*?)<\/script>/.exec(answer.body)?.[1] ?? '';
  const { answers } = JSON.parse(data);
  expect(JSON.parse(answers['/api/v1/block/7?limit=50'].body).hash).toBe('</script><b>');
  // Nobody registered the configuration here.
  expect(Object.keys(answers)).toEqual(['/api/v1/block/7?limit=50']);
});

test('what the API does not find is a page with 404 that search engines leave out', async () => {
  const app = start(makeSite());
  const answer = await app.inject({ url: '/block/8', headers: asBrowser });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(answer.body).toContain('<title>Block not found');
  expect(answer.body).toContain('<meta name="robots" content="noindex">');
  expect((await app.inject({ url: '/developers/nothing', headers: asBrowser })).statusCode).toBe(404);
});

test('pages allow nothing but files of their own origin', async () => {
  const { headers } = await start(makeSite()).inject({ url: '/', headers: asBrowser });
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; /);
  expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['referrer-policy']).toBe('no-referrer');
});

test('a page that has not changed costs an empty answer', async () => {
  const app = start(makeSite());
  const first = await app.inject({ url: '/block/7', headers: asBrowser });
  expect(first.headers['cache-control']).toBe('no-cache');
  const etag = String(first.headers.etag);
  const again = await app.inject({ url: '/block/7', headers: { ...asBrowser, 'if-none-match': etag } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  const dark = await app.inject({
    url: '/block/7',
    headers: { ...asBrowser, 'if-none-match': etag, cookie: 'a=b; theme=dark' },
  });
  expect(dark.statusCode).toBe(200);
  expect(dark.body).toContain('<html lang="en" data-theme="dark">');
});

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('pages and files are sent by %s to those who take it', async (coding, decompress) => {
  const app = start(makeSite());
  for (const url of ['/assets/base-1.js', '/block/7']) {
    const plain = await app.inject({ url });
    const answer = await app.inject({ url, headers: { 'accept-encoding': coding } });
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(decompress(answer.rawPayload).toString()).toBe(plain.body);
    expect(answer.headers.vary).toContain('Accept-Encoding');
  }
  const { headers } = await app.inject({ url: '/assets/base-1.js' });
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

test('files outside the folder are not served', async () => {
  const app = start(makeSite());
  for (const url of [
    '/assets/..%2findex.html',
    '/assets/%2e%2e%2findex.html',
    '/assets/base-1.js.br',
    '/assets/none.js',
  ]) {
    expect((await app.inject({ url })).statusCode).toBe(404);
  }
});

test('the search goes straight to what was found, and is a page when nothing was', async () => {
  const app = start(makeSite());
  const found = await app.inject({ url: '/search?q=%207%20', headers: asBrowser });
  expect([found.statusCode, found.headers.location]).toEqual([302, '/block/7']);
  const payment = await app.inject({ url: '/search?q=vp-0123456789ab', headers: asBrowser });
  expect(payment.headers.location).toBe('/pay/VP-0123456789AB');
  const none = await app.inject({ url: '/search?q=nothing', headers: asBrowser });
  expect([none.statusCode, none.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  // Never away from here, whatever is typed.
  const away = await app.inject({ url: '/search?q=//example.com', headers: asBrowser });
  expect(away.headers.location).toBe(undefined);
});

test('errors are pages for people, and problem documents for programs', async () => {
  const app = start(makeSite());
  const page = await app.inject({ url: '/nowhere', headers: asBrowser });
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  expect(page.body).toContain('Page not found');
  for (const url of ['/api/v1/nowhere', '/esplora/nowhere', '/nowhere']) {
    const headers = url === '/nowhere' ? { accept: '*/*' } : asBrowser;
    const answer = await app.inject({ url, headers });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'route_not_found']);
  }
  const words = Array.from({ length: 12 }, () => 'abandon').join('+');
  const key = await app.inject({ url: `/search?q=${words}`, headers: asBrowser });
  expect(key.statusCode).toBe(400);
  expect(key.body).toContain('That looks like a private key');
  expect(key.body).not.toContain('abandon');
});

test('a visitor who asks too much gets a page that says so, and its files', async () => {
  // A budget is that of a minute of the clock, which must not end between two requests.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const app = start(makeSite(), { rateLimitPerMinute: 3 });
  await app.inject({ url: '/', headers: asBrowser });
  const answer = await app.inject({ url: '/', headers: asBrowser });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
  expect(answer.body).toContain('Too many requests');
  expect((await app.inject({ url: '/assets/base-1.js' })).statusCode).toBe(200);
});

test('pages are only read', async () => {
  const app = start(makeSite());
  const post = await app.inject({ method: 'POST', url: '/block/7', headers: asBrowser, payload: {} });
  expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  const head = await app.inject({ method: 'HEAD', url: '/block/7' });
  expect([head.statusCode, head.body]).toEqual([200, '']);
});

test('without a build the API works, and the first page says how to build', async () => {
  const app = start(join(dir, 'nothing'));
  const answer = await app.inject({ url: '/' });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('npm run build')]);
  expect((await app.inject({ url: '/api/v1/block/7' })).statusCode).toBe(200);
  expect((await app.inject({ url: '/block/7', headers: asBrowser })).json().code).toBe('route_not_found');
});

test.each([
  ['/blocks/', '/blocks'],
  ['/Blocks', '/blocks'],
  ['/BLOCKS//?cursor=a%2Fb', '/blocks?cursor=a%2Fb'],
  ['/Block/7/', '/block/7'],
  ['/pool/miner/Xy/', '/pool/miner/Xy'],
  ['/Pool/Miner/Xy?range=1w', '/pool/miner/Xy?range=1w'],
  ['/Search?q=Ada', '/search?q=Ada'],
])('%s leads to %s', async (asked, meant) => {
  const app = start(makeSite());
  for (const method of ['GET', 'HEAD'] as const) {
    const { statusCode, headers } = await app.inject({ method, url: asked, headers: asBrowser });
    expect([statusCode, headers.location]).toEqual([308, meant]);
  }
  expect((await app.inject({ method: 'POST', url: asked, payload: {} })).statusCode).toBe(404);
});

test('what is no page by any spelling stays one that is not there, and nothing leads to another origin', async () => {
  const app = start(makeSite());
  for (const url of [
    '/nowhere/',
    '/Nowhere',
    '//example.com/',
    '//blocks',
    '/blocks/x',
    '/block/',
    '/Pool/Miner/',
    '/pool/nobody/x/',
    '/pool//miner/x',
    '/API/v1',
  ]) {
    const { statusCode, headers } = await app.inject({ url, headers: asBrowser });
    expect([url, statusCode, headers.location]).toEqual([url, 404, undefined]);
  }
});

test('browsers and search engines find the files that they ask for', async () => {
  const app = start(makeSite());
  const robots = await app.inject({ url: '/robots.txt' });
  expect([robots.statusCode, robots.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(robots.body).toBe(
    'User-agent: *\nDisallow: /search\nDisallow: /pay/\n\nSitemap: https://coin.example/sitemap.xml\n',
  );
  const favicon = await app.inject({ url: '/favicon.ico' });
  expect([favicon.statusCode, favicon.headers['content-type']]).toEqual([200, 'image/x-icon']);
  const sitemap = await app.inject({ url: '/sitemap.xml' });
  expect([sitemap.statusCode, sitemap.headers['content-type']]).toEqual([
    200,
    'application/xml; charset=utf-8',
  ]);
  const paths = [...sitemap.body.matchAll(/<loc>https:\/\/coin\.example([^<]*)<\/loc>/g)].map(
    ([, path]) => path,
  );
  expect(paths).toEqual(expect.arrayContaining(['/', '/blocks', '/developers', '/developers/chain']));
  for (const path of paths) expect((await app.inject({ url: path! })).statusCode).toBe(200);
});

test('documents of parts that the coin lacks have no page, and stand in no map', async () => {
  const app = start(makeSite(), { lacks: ['names', 'treasury'] });
  const sitemap = (await app.inject({ url: '/sitemap.xml' })).body;
  for (const [id, isThere] of [
    ['names', false],
    ['treasury', false],
    ['tokens', true],
    ['chain', true],
  ] as const) {
    const { statusCode, body } = await app.inject({ url: `/developers/${id}`, headers: asBrowser });
    expect([id, statusCode]).toEqual([id, isThere ? 200 : 404]);
    expect(body.includes('<title>Reference not found')).toBe(!isThere);
    expect(sitemap.includes(`/developers/${id}<`)).toBe(isThere);
  }
});

test('a service that does not know its own address has no map of it', async () => {
  const app = start(makeSite(), { publicUrl: undefined });
  expect((await app.inject({ url: '/robots.txt' })).body).toBe(
    'User-agent: *\nDisallow: /search\nDisallow: /pay/\n',
  );
  expect((await app.inject({ url: '/sitemap.xml' })).statusCode).toBe(404);
});

test('words that look like places of the document stay words', () => {
  const render = createPageRenderer('<!--head-->|<!--content-->|<!--data-->', 'Coin');
  const html = render({
    words: { title: '<!--data-->$&', description: '$1' },
    answers: {},
    url: undefined,
    isIndexed: true,
    scripts: [],
    theme: undefined,
  });
  expect(html).toContain('<title>&lt;!--data--&gt;$&amp; · Coin</title>');
  expect(html.match(/id="data"/g)).toHaveLength(1);
});
