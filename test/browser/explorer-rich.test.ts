import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { follow, visitPage } from './explorer-visit.ts';

// The richest addresses, and how many have how much.

let browser: TestBrowser;
let service: ExampleService;
let without: ExampleService;

const of = { as_of: { height: 1_234, hash: 'ab'.repeat(32) }, made_at: '2026-11-26T12:00:00.000Z' };
const items = Array.from({ length: 50 }, (_, i) => ({
  rank: i + 1,
  address: i === 1 ? null : `1A1zP1eP5QGefi2DMPTfTL5SLmv7Div${String(i).padStart(3, '0')}`,
  script_type: i === 1 ? 'pubkey' : 'pubkeyhash',
  script_hash: String(i).padStart(64, 'c'),
  balance: `${1_000 - i}.50000000`,
  utxo_count: 3 * i + 1,
  share_ppm: 100_000 - 1_000 * i,
}));
const list = { ...of, stale: false, items, next_cursor: 'MTIzNCwxLDI' };
const distribution = {
  ...of,
  stale: false,
  addresses: 100,
  balance: '10000.00000000',
  bands: Array.from({ length: 12 }, (_, i) => ({
    from: (10 ** (i - 8)).toFixed(8),
    below: (10 ** (i - 7)).toFixed(8),
    addresses: i === 2 ? 0 : 8,
    balance: i === 11 ? '9990.00000000' : '1.00000000',
  })),
  largest: [1, 10, 100, 1_000].map((size) => ({
    size,
    addresses: Math.min(size, 100),
    balance: '1000.50000000',
    share_ppm: size === 1 ? 100_050 : 900_000,
  })),
};

beforeAll(async () => {
  [browser, service, without] = await Promise.all([
    startBrowser(),
    startExampleService(),
    startExampleService({ lacks: ['rich'] }),
  ]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop(), without?.stop()]);
});

const answer = (path: string, body: unknown, status = 200) => service.answer(path, { status, body });

test('places, shares and bands are shown as of the block that they are true for, and axe finds no fault', async () => {
  answer('/api/v1/rich', list);
  answer('/api/v1/rich/distribution', distribution);
  const visitor = await visitPage(browser, `${service.origin}/rich`, {
    viewport: { width: 1280, height: 900 },
  });
  const { page } = visitor;
  expect(await page.locator('h1').innerText()).toBe('Rich list');
  expect(await page.locator('main').innerText()).toContain('As of block 1,234');
  const [bands, places] = [page.locator('table').first(), page.locator('table').nth(1)];
  expect(await bands.locator('tbody tr').count()).toBe(12);
  await bands.getByRole('img', { name: '99.90 %' }).waitFor();
  const rows = places.locator('tbody tr');
  expect(await rows.count()).toBe(50);
  expect((await rows.first().innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /^1 1A1zP1eP.* 10\.00 % 1 1,000\.50/,
  );
  expect(await rows.nth(1).innerText()).toContain('pubkey');
  expect(await rows.nth(1).locator('a').count()).toBe(0);
  expect(await page.getByText('Richest 100', { exact: true }).count()).toBe(1);
  expect(await findFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL('**/rich?cursor=MTIzNCwxLDI&page=2');
  await leavePage(visitor, service.origin);
});

test('a list whose block was replaced says so, and one that is being made, too', async () => {
  answer('/api/v1/rich', { ...list, stale: true });
  answer('/api/v1/rich/distribution', { ...distribution, stale: true });
  const visitor = await visitPage(browser, `${service.origin}/rich`);
  const { page } = visitor;
  await page.getByText('That block has left the best chain since').waitFor();
  const problem = {
    code: 'rich_list_pending',
    status: 503,
    detail: 'The first list is being made; try again later.',
  };
  answer('/api/v1/rich', problem, 503);
  answer('/api/v1/rich/distribution', problem, 503);
  await page.goto(`${service.origin}/rich`);
  await expect
    .poll(() => page.getByText('The first list is being made').count(), follow)
    .toBeGreaterThanOrEqual(1);
  await leavePage(visitor, service.origin);
});

test('it is linked from the charts where it is switched on; elsewhere there is no such page', async () => {
  const visitor = await visitPage(browser, `${service.origin}/charts`);
  await visitor.page.getByRole('link', { name: 'Rich list and distribution' }).click();
  await visitor.page.waitForURL('**/rich');
  await leavePage(visitor, service.origin);

  const other = await visitPage(browser, `${without.origin}/charts`);
  expect(await other.page.locator('a[href="/rich"]').count()).toBe(0);
  expect((await other.page.goto(`${without.origin}/rich`))?.status()).toBe(404);
  await expect.poll(() => other.page.locator('h1').innerText(), follow).toBe('Page not found');
  await leavePage(other, without.origin);
});
