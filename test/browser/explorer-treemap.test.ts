import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { openPurse, send, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';

const TXS = 60;
const VALUE = 1_000_000n;

let browser: TestBrowser;
let node: TestNode;
let service: TestService;
let dataDir = '';
let nextCoin: Awaited<ReturnType<typeof openPurse>>;

beforeAll(async () => {
  [browser, node] = await Promise.all([startBrowser(), startNode()]);
  nextCoin = await openPurse(node, { count: TXS + 1, value: VALUE, owner: 1 });
  for (let i = 0; i < TXS; i++) await sendPaying(BigInt(200 + 97 * i));
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-treemap-'));
  service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
  await service.waitForMempool();
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
  await node?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const sendPaying = (fee: bigint) => send(node, spend([nextCoin()], [{ value: VALUE - fee, owner: 2 }]));
const readBlock = async () => (await service.get('/api/v1/mempool/blocks/1')).json;
const treemapOf = (page: Page) => page.getByRole('slider', { name: 'Transactions of projected block 1' });

test('a click on a projected block shows what is in it, and a click on a transaction leads there', async () => {
  const { transactions } = await readBlock();
  const visitor = await visitPage(browser, service.origin);
  const { page } = visitor;
  await page.locator('.strip-next a').first().click();
  await page.waitForURL('**/mempool/1');
  await settle(visitor);
  const treemap = treemapOf(page);
  expect(await treemap.getAttribute('aria-valuemax')).toBe(String(TXS));
  expect(await page.locator('main').innerText()).toContain('Point at a transaction');

  const { width, height } = (await treemap.boundingBox())!;
  const found = new Set<string>();
  for (const [x, y] of [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.5, 0.5],
    [0.1, 0.9],
    [0.9, 0.9],
  ] as const) {
    await treemap.hover({ position: { x: width * x, y: height * y } });
    await expect.poll(() => treemap.getAttribute('aria-valuetext'), follow).toMatch(/\/vB, .* vB, fee /);
    const txid = await page.locator('figcaption .hash a').getAttribute('title');
    expect(transactions.map((tx: { txid: string }) => tx.txid)).toContain(txid);
    found.add(txid!);
  }
  expect(found.size).toBe(5);
  expect(await findFaults(page)).toEqual([]);
  const txid = await page.locator('figcaption .hash a').getAttribute('title');
  await treemap.click({ position: { x: width * 0.9, y: height * 0.9 } });
  await page.waitForURL(`**/tx/${txid}`);
  await leavePage(visitor, service.origin);
});

test('the arrow keys go from the dearest to the cheapest, and Enter opens', async () => {
  const { transactions } = await readBlock();
  const visitor = await visitPage(browser, `${service.origin}/mempool/1`);
  const { page } = visitor;
  const treemap = treemapOf(page);
  const expectAt = async (index: number) => {
    await expect.poll(() => treemap.getAttribute('aria-valuenow'), follow).toBe(String(index + 1));
    expect(await page.locator('figcaption .hash a').getAttribute('title')).toBe(transactions[index].txid);
  };
  await treemap.focus();
  await page.keyboard.press('ArrowRight');
  await expectAt(0);
  await page.keyboard.press('ArrowDown');
  await expectAt(1);
  await page.keyboard.press('End');
  await expectAt(TXS - 1);
  await page.keyboard.press('ArrowLeft');
  await expectAt(TXS - 2);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/tx/${transactions.at(-2).txid}`);
  await leavePage(visitor, service.origin);
});

test('its colours are those of the fee rates, also after a change of theme and of width', async () => {
  const visitor = await visitPage(browser, `${service.origin}/mempool/1`, { colorScheme: 'light' });
  const { page } = visitor;
  const countColours = () =>
    page.evaluate<number>(`(() => {
      const canvas = document.querySelector('.treemap canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width || 1, canvas.height || 1);
      const colours = new Set();
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
      return colours.size;
    })()`);
  const legend = await page.locator('.legend li[class]').count();
  expect(legend).toBeGreaterThan(3);
  await expect.poll(countColours, follow).toBeGreaterThanOrEqual(legend);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 740 });
  await expect
    .poll(() => page.evaluate('document.querySelector(".treemap canvas").width / devicePixelRatio'), follow)
    .toBeLessThan(360);
  await expect.poll(countColours, follow).toBeGreaterThanOrEqual(legend);
  expect(await isTooWide(page)).toBe(false);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, service.origin);
});

test('beside it is a table in pages, and what comes is in both by itself', async () => {
  const { transactions } = await readBlock();
  const visitor = await visitPage(browser, `${service.origin}/mempool/1`);
  const { page } = visitor;
  expect(await page.locator('tbody tr').count()).toBe(50);
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL('**/mempool/1?cursor=50&page=2');
  expect(await page.locator('tbody tr').count()).toBe(TXS - 50);
  const txids = () =>
    page
      .locator('tbody tr td:first-child a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('title')));
  expect(await txids()).toEqual(transactions.slice(50).map((tx: { txid: string }) => tx.txid));

  const { txid } = await sendPaying(90_000n);
  await page.goto(`${service.origin}/mempool/1`);
  await expect.poll(txids, follow).toContain(txid);
  await expect.poll(() => treemapOf(page).getAttribute('aria-valuemax'), follow).toBe(String(TXS + 1));
  await leavePage(visitor, service.origin);
});

test('a block that the mempool does not fill says so, and one that cannot be looked into is not found', async () => {
  const visitor = await visitPage(browser, `${service.origin}/mempool/4`);
  const { page } = visitor;
  expect(await page.locator('main').innerText()).toContain('The mempool fills 1 block now.');
  const answer = await service.get('/mempool/99', { accept: 'text/html' });
  expect(answer.status).toBe(404);
  await page.goto(`${service.origin}/mempool/99`);
  await settle(visitor);
  expect(await page.locator('h1').innerText()).toBe('Projected block not found');
  await visitor.context.close();
});
