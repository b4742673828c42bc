import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walletStandard } from '../../protocol/wallet-standard.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { isTooWide, leavePage } from '../harness/page-checks.ts';
import { testProfile } from '../harness/test-coin.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';
import { isEnglish, readTexts } from './page-texts.ts';

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
  // Of these the documents have no example that fills a page.
  service.answer('/api/v1/wallet-standard', { body: walletStandard(testProfile) });
  service.answer('/api/v1/search', { body: { items: [] } });
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

const reader = { locale: 'de-DE', timezoneId: 'Europe/Berlin', viewport: { width: 1280, height: 900 } };
const id = 'ab'.repeat(32);

/** Every kind of page, with what its heading says. */
const pages = [
  ['/', /auf einen Blick$/],
  ['/blocks', /^Blöcke$/],
  ['/block/5', /^Block /],
  [`/tx/${id}`, /./],
  ['/address/x', /./],
  ['/xpub', /^Wallet anhand ihres öffentlichen Schlüssels$/],
  ['/mempool', /^Mempool$/],
  ['/mempool/1', /^Projizierter Block 1$/],
  ['/charts', /^Diagramme$/],
  ['/charts?chart=supply', /^Diagramme$/],
  ['/rich', /^Reichste Adressen$/],
  ['/proofs', /^Zeitstempelnachweise$/],
  [`/proof/${id}`, /./],
  ['/names', /^Namen$/],
  ['/name/shop.coin', /^shop\.coin/],
  ['/tokens', /^Token$/],
  [`/token/${id}`, /./],
  ['/pool', /^Pool$/],
  ['/pool/miner/nobody', /./],
  ['/nodes', /^Nodes$/],
  [`/node/${id}`, /./],
  ['/treasury', /^Treasury$/],
  ['/developers', /^Entwickler$/],
  ['/developers/names', /^Namen$/],
  ['/releases', /^Releases$/],
  ['/wallet-standard', /^Wallet-Standard COIN-HD-1$/],
  ['/search?q=shop', /^shop$/],
  ['/nothing', /^Seite nicht gefunden$/],
] as const;

test.each(pages)('%s is German for who reads German, and fits a telephone', async (path, heading) => {
  const visitor = await visitPage(browser, service.origin + path, reader);
  const { page, requests } = visitor;
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await page.locator('h1').innerText()).toMatch(heading);
  expect(requests.filter(isGermanChunk)).toHaveLength(1);
  await page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true })");
  await settle(visitor);
  const texts = await readTexts(page);
  expect(texts.length).toBeGreaterThan(25);
  expect(texts.filter(isEnglish)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, service.origin);
});

test('who reads English loads no German, on any page', async () => {
  const visitor = await browser.openVisitor({ locale: 'en-GB' });
  const { page, requests } = visitor;
  for (const [path] of pages) {
    await page.goto(service.origin + path);
    await settle(visitor);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  }
  expect(requests.length).toBeGreaterThan(pages.length);
  expect(requests.filter(isGermanChunk)).toEqual([]);
  // What stands here is what the search for English finds elsewhere.
  await page.goto(service.origin);
  await settle(visitor);
  expect((await readTexts(page)).filter(isEnglish).length).toBeGreaterThan(25);
  await leavePage(visitor, service.origin);
});

test('the switch at the end of a page holds over navigation and reload, in both directions', async () => {
  const visitor = await visitPage(browser, `${service.origin}/blocks`, reader);
  const { page } = visitor;
  const heading = page.locator('h1');
  await page.getByRole('button', { name: 'English' }).click();
  await page.waitForFunction(
    "document.documentElement.lang === 'en' && document.querySelector('h1') !== null",
  );
  await settle(visitor);
  expect(await heading.innerText()).toBe('Blocks');
  await page.getByRole('link', { name: 'Charts', exact: true }).click();
  await page.waitForURL('**/charts');
  await settle(visitor);
  expect(await heading.innerText()).toBe('Charts');
  expect(await page.title()).toMatch(/^Charts · /);
  await page.reload();
  await settle(visitor);
  expect(await heading.innerText()).toBe('Charts');
  // By the keyboard as well.
  await page.getByRole('button', { name: 'Deutsch' }).press('Enter');
  await expectLanguage(page, 'de');
  await settle(visitor);
  expect(await heading.innerText()).toBe('Diagramme');
  expect(await page.title()).toMatch(/^Diagramme · /);
  await leavePage(visitor, service.origin);
});

test('moments, amounts and charts are German, what is saved is not', async () => {
  const visitor = await visitPage(browser, `${service.origin}/blocks`, reader);
  const { page } = visitor;
  const moment = page.locator('main tbody time').first();
  const at = new Date((await moment.getAttribute('datetime'))!);
  expect(await moment.innerText()).toMatch(/^vor \d|^in \d|^jetzt$/);
  await page.getByRole('button', { name: 'Daten anzeigen' }).click();
  const write = (timeZone: string) =>
    new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at);
  expect(await moment.innerText()).toBe(write('Europe/Berlin'));
  await page.getByRole('button', { name: 'UTC verwenden' }).click();
  expect(await moment.innerText()).toBe(write('UTC'));
  expect(await page.locator('main .amount').first().innerText()).toMatch(/^[−+]?[\d.]+,\d+/);

  await page.goto(`${service.origin}/charts?chart=supply`);
  await settle(visitor);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toMatch(
    /^height,.*\r\n\d+,.*\d{4}-\d\d-\d\dT.*,\d+\.\d+/,
  );
  await leavePage(visitor, service.origin);
});

test('errors, suggestions and what is not there are said in German', async () => {
  const refuse = (status: number, code: string) => ({
    status,
    body: {
      type: 'about:blank',
      title: 'Not here',
      status,
      code,
      detail: 'This is the detail.',
      request_id: 'r1',
    },
  });
  service.answer('/api/v1/fee', refuse(503, 'index_unavailable'));
  service.answer('/api/v1/block/{id}', refuse(404, 'block_not_found'));
  const visitor = await visitPage(browser, `${service.origin}/mempool`, reader);
  const { page } = visitor;
  try {
    expect(await page.getByRole('alert').first().innerText()).toContain(
      'Die Datenbank ist nicht erreichbar.',
    );
    expect((await readTexts(page)).filter(isEnglish)).toEqual([]);
    await page.locator('#q').fill('#4');
    const option = page.getByRole('option').first();
    await option.waitFor();
    expect((await option.innerText()).replace(/\s+/g, ' ')).toBe('Block 4');
    await page.goto(`${service.origin}/block/4`);
    await settle(visitor);
    expect(await page.locator('h1').innerText()).toBe('Block nicht gefunden');
    expect((await readTexts(page)).filter(isEnglish)).toEqual([]);
  } finally {
    service.answer('/api/v1/fee', undefined);
    service.answer('/api/v1/block/{id}', undefined);
  }
  await leavePage(visitor, service.origin);
});

test('where the German texts cannot be fetched, the page is English', async () => {
  const { page, context } = await browser.openVisitor(reader);
  await page.route(isGermanChunk, (route) => route.abort());
  await page.goto(`${service.origin}/blocks`);
  await settle({ page } as Parameters<typeof settle>[0]);
  expect(await page.locator('h1').innerText()).toBe('Blocks');
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  await context.close();
});

/** Until the page has come again in a language. */
async function expectLanguage(page: Page, language: string): Promise<void> {
  await expect.poll(() => page.locator('html').getAttribute('lang'), follow).toBe(language);
}

function isGermanChunk(url: string | URL): boolean {
  return /\/assets\/german-[^/]*\.js$/.test(String(url));
}
