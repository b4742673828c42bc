import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { follow, visitPage } from './explorer-visit.ts';

// A coin's own face, and pages of parts that it lacks.

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  const mark = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#7a1f5c' } })
    .png()
    .toBuffer();
  const face = {
    mark,
    colours: {
      light: { accent: '#7a1f5c', onAccent: '#ffffff' },
      dark: { accent: '#f0a8d8', onAccent: '#0c1513' },
    },
    links: [{ name: 'Forum', url: 'https://forum.example/' }],
  };
  [browser, service] = await Promise.all([
    startBrowser(),
    startExampleService({ face, lacks: ['tokens', 'treasury'] }),
  ]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

test('mark, colours and links are those of the coin, in both modes and on a telephone', async () => {
  const visitor = await visitPage(browser, `${service.origin}/blocks`, { colorScheme: 'light' });
  const { page, requests } = visitor;
  const colour = () => page.evaluate<string>("getComputedStyle(document.querySelector('main a')).color");
  expect(await colour()).toBe('rgb(122, 31, 92)');
  expect(
    await page.evaluate<string>("getComputedStyle(document.querySelector('.brand')).backgroundImage"),
  ).toMatch(/\/face\/[\w-]{12}\.png/);
  expect(requests.some((url) => /\/face\/[\w-]{12}\.png$/.test(url))).toBe(true);
  await page.getByRole('navigation', { name: 'Example' }).getByRole('link', { name: 'Forum' }).waitFor();
  expect(await findFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await colour()).toBe('rgb(240, 168, 216)');
  expect(await isTooWide(page)).toBe(false);
  expect(await findFaults(page)).toEqual([]);
  const [file] = requests.filter((url) => url.includes('/face/'));
  const answer = await fetch(file!);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  await leavePage(visitor, service.origin);
});

test('pages of parts that the coin lacks are in no navigation, and answer 404', async () => {
  const visitor = await visitPage(browser, `${service.origin}/blocks`);
  const { page } = visitor;
  const places = await page.locator('nav.places a').allInnerTexts();
  expect(places).toContain('Names');
  expect(places.filter((each) => /Tokens|Treasury/.test(each))).toEqual([]);
  await page.goto(`${service.origin}/charts`);
  const charts = page.getByRole('navigation', { name: 'Charts', exact: true });
  await charts.getByRole('link', { name: 'Names' }).waitFor();
  expect(await charts.getByRole('link', { name: /Tokens|Treasury/ }).count()).toBe(0);
  await page.goto(`${service.origin}/charts?chart=treasury`);
  await expect.poll(() => charts.locator('[aria-current]').innerText(), follow).toBe('Hashrate');
  await page.goto(`${service.origin}/developers`);
  const documents = page.locator('main table').first();
  await documents.getByRole('link', { name: 'Names' }).waitFor();
  expect(await documents.getByRole('link', { name: /Tokens|Treasury/ }).count()).toBe(0);
  const answer = await page.goto(`${service.origin}/developers/tokens`);
  expect(answer?.status()).toBe(404);
  await expect.poll(() => page.locator('h1').innerText(), follow).toBe('Reference not found');
  for (const path of ['/tokens', `/token/${'ab'.repeat(32)}`, '/treasury']) {
    const answer = await page.goto(service.origin + path);
    expect([path, answer?.status()]).toEqual([path, 404]);
    await expect.poll(() => page.locator('h1').innerText(), follow).toBe('Page not found');
  }
  expect((await page.goto(`${service.origin}/names`))?.status()).toBe(200);
  await leavePage(visitor, service.origin);
});
