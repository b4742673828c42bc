import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriesCharts } from '../../explorer/src/format/series-charts.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { openPurse, send, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';
import { readScreenshot } from './read-png.ts';

const BLOCKS = 700;
/** Of transactions that are all in one block. */
const FEES = [200n, 500n, 2_000n];

let browser: TestBrowser;
let node: TestNode;
let service: TestService;
let dataDir = '';

beforeAll(async () => {
  [browser, node] = await Promise.all([startBrowser(), startNode()]);
  const nextCoin = await openPurse(node, { count: FEES.length, value: 1_000_000n, owner: 1 });
  for (const fee of FEES) await send(node, spend([nextCoin()], [{ value: 1_000_000n - fee, owner: 2 }]));
  await node.mine(BLOCKS - (await node.rpc<number>('getblockcount')));
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-charts-'));
  service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
  await node?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const visit = (query: string) => visitPage(browser, `${service.origin}/charts${query}`);
const isDrawn = (page: Page) => page.locator('.chart canvas').waitFor();

test('each chart is drawn over all of the chain, says its last point, and axe finds no fault', async () => {
  const visitor = await visit('');
  const { page } = visitor;
  await page.getByRole('link', { name: 'All', exact: true }).click();
  for (const { id, name } of seriesCharts) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.waitForURL(`**/charts?chart=${id}&range=all`);
    await settle(visitor);
    await isDrawn(page);
    const drawn = page.getByRole('img', { name: new RegExp(`^${name}, blocks 0 to ${BLOCKS}, from `) });
    await drawn.waitFor();
    expect(await page.locator('.chart-says').innerText()).toMatch(
      new RegExp(`^1 block up to ${BLOCKS}|^Block ${BLOCKS}|blocks? up to ${BLOCKS}, .* UTC: `),
    );
  }
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, service.origin);
});

test('a stretch is chosen by keys, too, with what is in sight once it has the focus', async () => {
  const visitor = await visit('?chart=supply&range=all');
  const { page } = visitor;
  await isDrawn(page);
  const [first, end] = ['First', 'Last'].map((word) => page.getByLabel(`${word} point of a stretch`));
  const picker = page.locator('div:has(> input[type=range])');
  expect((await picker.boundingBox())!.height).toBeLessThanOrEqual(1);
  await first!.focus();
  expect((await picker.boundingBox())!.height).toBeGreaterThan(10);
  const points = Number(await end!.getAttribute('max'));
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowLeft');
  expect(await end!.getAttribute('aria-valuetext')).toMatch(/blocks up to \d+, .*UTC: /);
  expect(Number(await end!.inputValue())).toBe(points - 10);
  expect((await page.locator('.u-select').boundingBox())!.width).toBeGreaterThan(50);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=\d+&to=\d+/);
  const query = new URL(page.url()).searchParams;
  expect(Number(query.get('from'))).toBe(3 * 5);
  expect(Number(query.get('to'))).toBeLessThan(BLOCKS - 40);
  await settle(visitor);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, service.origin);
});

test('a stretch that is drawn over is looked at closer, and Back and a reload are as before', async () => {
  const visitor = await visit('?chart=supply&range=all');
  const { page } = visitor;
  await isDrawn(page);
  expect(await page.locator('main').innerText()).toContain('Each point is 5 blocks.');
  const { x, y, width, height } = (await page.locator('.u-over').boundingBox())!;
  await page.mouse.move(x + width * 0.5, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/from=\d+&to=\d+/);
  await settle(visitor);
  await isDrawn(page);
  const query = new URL(page.url()).searchParams;
  const [from, to] = ['from', 'to'].map((name) => Number(query.get(name)));
  expect(to! - from!).toBeGreaterThan(30);
  expect(to! - from!).toBeLessThan(110);
  expect(await page.locator('main').innerText()).toContain('Each point is one block.');
  await page.reload();
  await settle(visitor);
  await page.getByRole('img', { name: new RegExp(`^Supply, blocks ${from} to ${to}, `) }).waitFor();
  await page.goBack();
  await expect
    .poll(() => page.getByRole('img', { name: `Supply, blocks 0 to ${BLOCKS}` }).count(), follow)
    .toBe(1);
  await leavePage(visitor, service.origin);
});

test('its data are to be had as CSV and as a table, and the picture as PNG', async () => {
  const visitor = await visit('?chart=difficulty&range=all');
  const { page } = visitor;
  await isDrawn(page);
  const { points } = (await service.get('/api/v1/series?range=all')).json;
  const read = async (name: string): Promise<{ name: string; bytes: Buffer }> => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    const file = await download;
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const csv = await read('CSV');
  expect(csv.name).toMatch(new RegExp(`-difficulty-0-${BLOCKS}\\.csv$`));
  const lines = csv.bytes.toString('utf8').trimEnd().split('\r\n');
  expect(lines.length).toBe(points.length + 1);
  expect(lines.at(-1)).toBe(
    Object.entries(points.at(-1))
      // None of the last blocks has more than its coinbase.
      .flatMap(([name, value]) => (name === 'fee_rates' ? Array(5).fill('') : [value ?? '']))
      .join(),
  );
  const png = await read('PNG');
  expect(png.name).toMatch(/\.png$/);
  const { width, height } = readScreenshot(png.bytes);
  expect(width).toBeGreaterThan(600);
  expect(height).toBeGreaterThan(300);

  await page.getByText('Data as a table').click();
  expect(await page.locator('tbody tr').count()).toBe(points.length);
  await leavePage(visitor, service.origin);
});

test('fee rates by percentile are said with the lowest and the highest of them', async () => {
  const { points } = (await service.get('/api/v1/series?range=all&points=500')).json;
  const paying = points.filter(({ fee_rates }: { fee_rates: unknown }) => fee_rates !== null);
  expect(paying.length).toBeGreaterThan(0);
  const { height, blocks } = paying.at(-1);
  const visitor = await visit(`?chart=fee-percentiles&from=${height - blocks + 1}&to=${height}`);
  const { page } = visitor;
  await page.getByText('Data as a table').click();
  const cells = await page.locator('tbody tr td:last-child').allInnerTexts();
  const said = cells.filter((cell) => cell !== 'unknown');
  expect(said.length).toBeGreaterThan(0);
  for (const cell of said) expect(cell).toMatch(/^[\d.,]+ \/vB \([\d.,]+ \/vB – [\d.,]+ \/vB\)$/);
  await leavePage(visitor, service.origin);
});

test('a chart tells times by the clock that was chosen: its words, its table and its axis', async () => {
  const visitor = await visitPage(browser, `${service.origin}/charts?chart=supply&range=1d`, {
    timezoneId: 'Asia/Kathmandu',
  });
  const { page } = visitor;
  await isDrawn(page);
  const says = page.locator('.chart-says').first();
  const last = page.locator('tbody tr:last-child td:nth-child(2)');
  await page.getByText('Data as a table').click();
  const { points } = (await service.get('/api/v1/series?range=1d')).json;
  const there = new Intl.DateTimeFormat('en-GB', {
    ...{ dateStyle: 'medium', timeStyle: 'long', timeZone: 'Asia/Kathmandu' },
  }).format(new Date(points.at(-1).time));
  expect(await last.innerText()).toBe(there);
  expect(await says.innerText()).toContain(there);
  const picture = () => page.locator('.chart canvas').screenshot();
  const local = await picture();
  await page.getByRole('button', { name: 'Use UTC' }).click();
  const inUtc = points
    .at(-1)
    .time.replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
  expect(await last.innerText()).toBe(inUtc);
  expect(await says.innerText()).toContain(inUtc);
  await expect.poll(async () => (await picture()).equals(local), follow).toBe(false);
  await leavePage(visitor, service.origin);
});

test('the newest block comes into it by itself', async () => {
  const visitor = await visit('?chart=transactions&range=all');
  const { page } = visitor;
  await isDrawn(page);
  await node.mine(1);
  await expect.poll(() => page.locator('.chart-says').innerText(), follow).toContain(`up to ${BLOCKS + 1},`);
  await leavePage(visitor, service.origin);
});

test('an address that asks for nothing sensible shows what the page begins with', async () => {
  const visitor = await visit('?chart=%3Cb%3E&range=9y&from=9&to=1');
  const { page } = visitor;
  await page.getByRole('img', { name: /^Hashrate, / }).waitFor();
  expect(await page.locator('[aria-current]').allInnerTexts()).toEqual(['Charts', 'Hashrate', '1 month']);
  await leavePage(visitor, service.origin);
});

test.each([
  ['names', 'Names', 'Number of names that are registered.'],
  ['tokens', 'Tokens', 'Number of tokens created so far.'],
  ['treasury', 'Treasury', 'Balance of the treasury by its ledger, and what came in and went out.'],
])('the chart of %s is drawn from what the part keeps', async (id, name, says) => {
  const visitor = await visit(`?chart=${id}&range=all`);
  const { page } = visitor;
  await isDrawn(page);
  await page.getByRole('img', { name: new RegExp(`^${name}, All, from `) }).waitFor();
  expect(await page.locator('main').innerText()).toContain(says);
  await page.getByText('Data as a table').click();
  expect(await page.locator('tbody tr').count()).toBeGreaterThanOrEqual(2);
  await page.getByRole('link', { name: '1 day', exact: true }).click();
  await page.waitForURL(`**/charts?chart=${id}&range=1d`);
  await settle(visitor);
  await page.getByRole('img', { name: new RegExp(`^${name}, 1 day, from `) }).waitFor();
  expect(await findFaults(page)).toEqual([]);

  // A stretch is shown by itself, also of another chart, and one finds back to all.
  const asked = visitor.requests.length;
  await page.goto(`${service.origin}/charts?chart=${id}&from=100&to=600`);
  await page.getByRole('img', { name: new RegExp(`^${name}, blocks 100 to 600, from `) }).waitFor();
  // The figures came with the page.
  expect(visitor.requests.slice(asked).filter((url) => url.includes('/series'))).toEqual([]);
  await page.getByLabel('First point of a stretch').focus();
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await expect
    .poll(() => page.getByRole('link', { name: 'Supply', exact: true }).getAttribute('href'), follow)
    .toBe('/charts?chart=supply&from=100&to=600');
  await page.getByRole('link', { name: 'Show all' }).click();
  await page.waitForURL(`**/charts?chart=${id}&range=all`);
  await leavePage(visitor, service.origin);
});
