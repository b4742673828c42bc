import { readFile } from 'node:fs/promises';
import type { Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';
import { scanQrCode } from './scan-qr-code.ts';

let browser: TestBrowser;
let fixture: ExplorerFixture;
let origin: string;

beforeAll(async () => {
  [browser, fixture] = await Promise.all([startBrowser(), startExplorerFixture()]);
  origin = fixture.service.origin;
});
afterAll(async () => {
  await Promise.all([browser?.stop(), fixture?.stop()]);
});

const visit = (path: string, options?: Parameters<TestBrowser['openVisitor']>[0]) =>
  visitPage(browser, origin + path, options);

/** Every kind of page, with what its heading shows; a function because what is known is made before the tests. */
const pages: readonly (readonly [name: string, path: () => string, heading: () => RegExp])[] = [
  ['home', () => '/', () => /Regtest Coin at a glance/],
  ['blocks', () => '/blocks', () => /^Blocks$/],
  ['block', () => '/block/111', () => /^Block 111$/],
  ['transaction', () => `/tx/${fixture.known.txid}`, () => new RegExp(`^${fixture.known.txid.slice(0, 12)}`)],
  ['address', () => `/address/${fixture.known.address}`, () => new RegExp(`^${fixture.known.address}`)],
  ['wallet', () => '/xpub', () => /^Wallet by its public key$/],
  ['charts', () => '/charts', () => /^Charts$/],
  ['mempool', () => '/mempool', () => /^Mempool$/],
  ['projected block', () => '/mempool/1', () => /^Projected block 1$/],
  ['proofs', () => '/proofs', () => /^Proofs of existence$/],
  [
    'proof',
    () => `/proof/${fixture.known.digest}`,
    () => new RegExp(`^${fixture.known.digest.slice(0, 12)}`),
  ],
  ['names', () => '/names', () => /^Names$/],
  ['name', () => `/name/${fixture.known.name}`, () => /^shown\.coin/],
  ['tokens', () => '/tokens', () => /^Tokens$/],
  ['token', () => `/token/${fixture.known.tokenId}`, () => /^SHOWN$/],
  ['pool', () => '/pool', () => /^Pool$/],
  ['nodes', () => '/nodes', () => /^Nodes$/],
  ['treasury', () => '/treasury', () => /^Treasury$/],
  ['developers', () => '/developers', () => /^Developers$/],
  ['reference', () => '/developers/names', () => /^Names$/],
  ['releases', () => '/releases', () => /^Releases$/],
  ['wallet standard', () => '/wallet-standard', () => /^Wallet standard COIN-HD-1$/],
  ['search without a result', () => '/search?q=nothing-like-this', () => /nothing-like-this/],
];

test.each(pages)(
  '%s: whole in both colours, on a screen and on a telephone, and axe finds no fault',
  async (_, path, heading) => {
    const visitor = await visit(path(), { colorScheme: 'light', viewport: { width: 1280, height: 900 } });
    const { page } = visitor;
    expect(await page.locator('h1').innerText()).toMatch(heading());
    // The service wrote the title before any script ran; the script means the same page.
    const served = /<title>([^<]*)<\/title>/.exec(
      (await fixture.service.get(path(), { accept: 'text/html' })).text,
    )?.[1];
    expect(served?.replaceAll('&#39;', "'")).toBe(await page.title());
    expect(await findFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await isTooWide(page)).toBe(false);
    expect(await findFaults(page)).toEqual([]);
    expect(await page.locator('.trouble').count()).toBe(0);
    await leavePage(visitor, origin);
  },
);

test('a transaction draws its flow: each input, each output and the fee, and a coinbase what it makes', async () => {
  const { json: tx } = await fixture.service.get(`/api/v1/tx/${fixture.known.txid}`);
  const { json: block } = await fixture.service.get('/api/v1/block/111');
  const visitor = await visit(`/tx/${tx.txid}`);
  const { page } = visitor;
  const flow = page.locator('svg.flow');
  expect(await flow.getAttribute('aria-label')).toMatch(
    new RegExp(
      `^${tx.input_count} inputs? to ${tx.output_count} outputs? of ${tx.output_value} .*, fee ${tx.fee} `,
    ),
  );
  const said = await flow.locator('title').allTextContents();
  expect(said).toHaveLength(tx.input_count + tx.output_count + 1);
  expect(said.at(-1)).toMatch(new RegExp(`^Fee: ${tx.fee} `));
  for (const [i, { value }] of tx.outputs.entries())
    expect(said[tx.input_count + i]).toMatch(new RegExp(`^Output ${i}.*: ${value} `));

  await page.goto(`${origin}/tx/${block.transactions.items[0].txid}`);
  await settle(visitor);
  expect((await flow.locator('title').allTextContents())[0]).toMatch(/^Coinbase \(subsidy and fees\): /);
  expect(await page.locator('.io').innerText()).toContain('Coinbase (newly generated coins)');
  expect(await page.locator('main').innerText()).toContain('none: a coinbase transaction');
  await leavePage(visitor, origin);
});

test('a token shows what its largest holders have, and draws supply and holders when it is asked to', async () => {
  const { tokenId } = fixture.known;
  const { holders, circulating } = (await fixture.service.get(`/api/v1/tokens/${tokenId}/distribution`)).json;
  const { points } = (await fixture.service.get(`/api/v1/tokens/${tokenId}/series?points=200`)).json;
  const visitor = await visit(`/token/${tokenId}`);
  const { page } = visitor;
  const distribution = page.locator('section', { hasText: 'Largest holders' });
  const [heading, largest] = [distribution.locator('h2'), distribution.locator('tbody tr').first()];
  expect(await heading.innerText()).toContain('Distribution');
  expect(holders).toBe(1);
  const plain = (text: string) => text.replaceAll(',', '').replace(/\s+/g, ' ').trim();
  expect(plain(await largest.innerText())).toBe(`1 100.00 ${circulating}`);
  await page.getByText('Show the chart').click();
  for (const name of ['Circulating', 'Holders']) {
    await page.getByRole('img', { name: new RegExp(`^${name}, from `) }).waitFor();
  }
  const says = page.locator('.chart-says');
  const { height } = points.at(-1);
  expect(await says.first().innerText()).toContain(`Block ${height}, `);
  expect(await says.nth(1).innerText()).toMatch(new RegExp(`^Block ${height}, .*: ${holders}\\s`));
  await page.getByText('Data as a table').click();
  expect(await findFaults(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv.split('\r\n').slice(0, 2)).toEqual([
    'height,time,circulating,minted,burned,holders',
    Object.values(points[0]).join(),
  ]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, origin);
});

test('the life of a name is drawn, with what its owner did, where it is now and what is ahead', async () => {
  const { name } = fixture.known;
  const { json } = await fixture.service.get(`/api/vns/v1/name/${name}/timeline`);
  const registered = json.items.find(({ kind }: { kind: string }) => kind === 'registered');
  const visitor = await visit(`/name/${name}`);
  const { page } = visitor;
  const life = page.getByRole('img', { name: /^States of the name over time/ });
  const titles = (of: string) =>
    life.locator(of).evaluateAll((all) => all.map((each) => each.getAttribute('title')));
  expect(await titles('b')).toContain(`registered, ${registered.at.height}`);
  expect(await titles('s')).toEqual(['now']);
  expect((await titles('i.ahead')).slice(-3)).toEqual(['registered', 'in grace', 'free, with a premium']);
  // The table beside says the same in words.
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Timeline' }) });
  const said = (await section.locator('tbody tr').allInnerTexts()).join('\n');
  for (const word of ['registered', 'expires', 'if it is not renewed']) expect(said).toContain(word);
  await leavePage(visitor, origin);
});

test('an address is there to be scanned', async () => {
  const { address } = fixture.known;
  const visitor = await visit(`/address/${address}`, { colorScheme: 'dark' });
  const code = visitor.page.getByRole('img', { name: 'QR code of this address' });
  expect(await scanQrCode(code)).toMatch(new RegExp(`^[a-z]+:${address}$`));
  await leavePage(visitor, origin);
});

test('the search goes straight to anything', async () => {
  const { txid, digest, address, tokenId, name } = fixture.known;
  const { json: block } = await fixture.service.get('/api/v1/block/5');
  const visitor = await visit('/');
  const { page } = visitor;
  const cases = [
    ['5', '/block/5'],
    [block.hash, `/block/${block.hash}`],
    [txid, `/tx/${txid}`],
    [`  ${address} `, `/address/${address}`],
    [`coin:${address}?amount=1&label=x`, `/address/${address}`],
    [name, `/name/${name}`],
    [tokenId, `/token/${tokenId}`],
    ['SHOWN', `/token/${tokenId}`],
    [digest, `/proof/${digest}`],
    [`${origin}/tx/${txid}`, `/tx/${txid}`],
    ['no such thing', '/search?q=no%20such%20thing'],
  ] as const;
  for (const [text, path] of cases) {
    await page.locator('#q').fill(text);
    await page.locator('#q').press('Enter');
    await page.waitForURL((url) => (url.pathname + url.search).startsWith(path));
    await settle(visitor);
  }
  expect(await page.locator('main').innerText()).toContain('Nothing was found.');
  await leavePage(visitor, origin);
});

test('without scripts the search leads there, too', async () => {
  const visitor = await browser.openVisitor({ javaScriptEnabled: false });
  const { page } = visitor;
  await page.goto(`${origin}/search?q=${fixture.known.txid}`);
  expect(new URL(page.url()).pathname).toBe(`/tx/${fixture.known.txid}`);
  expect(await page.locator('h1').innerText()).toMatch(/^Transaction /);
  await leavePage(visitor, origin);
});

test('a private key in the search is not sent', async () => {
  const visitor = await visit('/');
  const { page, requests } = visitor;
  const words = `${'abandon '.repeat(11)}about`;
  await page.locator('#q').fill(words);
  const before = requests.length;
  await page.locator('#q').press('Enter');
  await page.getByText('It was not sent anywhere').waitFor();
  expect(await page.locator('#q').inputValue()).toBe('');
  expect(requests.slice(before).filter((url) => url.includes('abandon') || url.includes('/search'))).toEqual(
    [],
  );
  const answer = await fixture.service.get(`/search?q=${encodeURIComponent(words)}`, { accept: 'text/html' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  expect(answer.text).not.toContain('abandon');
  await leavePage(visitor, origin);
});

test('everything can be reached and done with the keyboard, and a new page is where the focus is', async () => {
  const visitor = await visit('/', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visitor;
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  await page.keyboard.press('/');
  expect(await page.evaluate('document.activeElement.id')).toBe('q');
  await page.keyboard.type('111');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/block/**');
  await settle(visitor);
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  const reached: string[] = [];
  for (let presses = 0; presses < 6; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    reached.push(
      await page.evaluate(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      ),
    );
  }
  expect(reached.slice(0, 3)).toEqual(['← 110', '112 →', 'Copy block hash']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  const { json: block } = await fixture.service.get('/api/v1/block/111');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()'), follow).toBe(block.hash);
  await leavePage(visitor, origin);
});

test('a place survives a reload and the way back', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL(/cursor=/);
  await settle(visitor);
  const first = () => page.locator('tbody tr').first().innerText();
  await expect.poll(first, follow).not.toMatch(/^1[0-9][0-9]/);
  const before = (await first()).split('\t')[0];
  await page.reload();
  await settle(visitor);
  expect((await first()).split('\t')[0]).toBe(before);
  await page.goBack();
  await expect.poll(first, follow).toMatch(/^1[0-9][0-9]/);
  await leavePage(visitor, origin);
});

test('the choice of colours is kept and is there at the first paint', async () => {
  const visitor = await visit('/', { colorScheme: 'light' });
  const { page } = visitor;
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await background();
  await page.getByRole('button', { name: 'Dark colours' }).click();
  expect(await background()).not.toBe(light);
  const answer = await page.reload();
  expect(await answer?.text()).toMatch(/<html lang="en"[^>]* data-theme="dark">/);
  expect(await background()).not.toBe(light);
  await leavePage(visitor, origin);
});

// Counted as `npm run page-speed` counts. Its chain has more to show: there home has about 1,800 bytes more than here.
test.each([
  ['/', 60_000],
  ['/blocks', 90_000],
  ['/proofs', 90_000],
  ['/developers', 90_000],
  ['/charts', 120_000],
  ['/mempool', 120_000],
])('%s is loaded with little, and what was loaded is not asked for again', async (path, most) => {
  const visitor = await browser.openVisitor();
  const { page } = visitor;
  const sizes: Promise<number>[] = [];
  const assets: string[] = [];
  const measure = (request: Request): void => {
    sizes.push(
      request
        .sizes()
        .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    );
    if (request.url().includes('/assets/')) assets.push(request.url());
  };
  page.on('requestfinished', measure);
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  page.off('requestfinished', measure);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(most);
  expect(new Set(assets).size).toBe(assets.length);
  // What came with the page was not asked for once more, but for the figures that tell whether anything has changed.
  const asked = visitor.requests.filter((url) => url.includes('/api/')).map((url) => new URL(url));
  const answers = await page.evaluate<string[]>(
    `Object.keys(JSON.parse(document.getElementById('data').textContent).answers)`,
  );
  expect(
    asked
      .map(({ pathname, search }) => pathname + search)
      .filter((each) => answers.includes(each) && !/^\/api\/v1\/(stats|health)$/.test(each)),
  ).toEqual([]);
  await leavePage(visitor, origin);
});

test.each([
  ['/no/such/page', 'Page not found'],
  ['/nothing', 'Page not found'],
  [`/block/${999_999}`, 'Block not found'],
  ['/block/zzz', 'Block not found'],
  [`/tx/${'00'.repeat(32)}`, 'Transaction not found'],
  ['/address/nobody', 'Address not found'],
  ['/developers/nothing', 'Reference not found'],
  ['/name/-no-.name', '-no-.name'],
  ['/proof/zz', 'Proof not found'],
  [`/token/${'00'.repeat(32)}`, 'Token not found'],
])('%s is a page that says so, with 404', async (path, heading) => {
  const visitor = await browser.openVisitor();
  const { page } = visitor;
  const answer = await page.goto(origin + path);
  expect(answer?.status()).toBe(404);
  await expect.poll(() => page.locator('h1').innerText(), follow).toBe(heading);
  await settle(visitor);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, origin);
});

test('pages are only read; programs get problem documents for the same faults', async () => {
  for (const path of ['/', '/block/5', '/search', '/assets/x.js']) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(origin + path, { method, headers: { accept: 'text/html' } });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    const head = await fetch(origin + path, { method: 'HEAD' });
    expect(await head.text()).toBe('');
  }
  const missing = await fixture.service.get('/nothing');
  expect([missing.status, missing.json.code]).toEqual([404, 'route_not_found']);
  const missingApi = await fixture.service.get('/api/v1/nothing', { accept: 'text/html' });
  expect([missingApi.status, missingApi.json.code]).toEqual([404, 'route_not_found']);
});
