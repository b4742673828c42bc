import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { subsidyAt } from '@coinfront/protocol/subsidy.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineByHand } from '../harness/mine-by-hand.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { scriptOf } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';

/** From here on a coinbase can be made by hand. */
const BLOCKS = 150;

let browser: TestBrowser;
let node: TestNode;
let service: TestService;
let dataDir = '';

beforeAll(async () => {
  [browser, node] = await Promise.all([startBrowser(), startNode()]);
  await node.mine(BLOCKS);
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-strip-'));
  service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
  await node?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('the strip shows what waits beside what was mined, and a block slides over when it comes', async () => {
  const visitor = await visitPage(browser, service.origin);
  const { page } = visitor;
  const next = page.getByRole('list', { name: 'Projected blocks, the next one first' });
  const mined = page.getByRole('list', { name: 'Mined blocks, the latest first' });
  expect(await next.innerText()).toContain('The mempool is empty.');
  expect(await mined.locator('.cube-head').first().innerText()).toBe(String(BLOCKS));

  await node.rpc('sendtoaddress', await node.newAddress('bech32'), 1.5);
  await service.waitForMempool();
  await expect.poll(() => next.innerText(), follow).toMatch(/1 transaction\b/);
  const [entry] = Object.values(
    await node.rpc<Record<string, { fees: { base: number }; vsize: number }>>('getrawmempool', true),
  );
  const rate = (entry!.fees.base * 1e8) / entry!.vsize;
  const [, low, high] = /([\d.]+) – ([\d.]+) \/vB/.exec(await next.innerText())!;
  expect(Number(low)).toBeLessThanOrEqual(rate);
  expect(Number(high)).toBeLessThanOrEqual(Math.ceil(rate));

  await node.mine(1);
  await expect.poll(() => mined.locator('.cube-head').first().innerText(), follow).toBe(String(BLOCKS + 1));
  const latest = mined.locator('li').first();
  expect(await latest.innerText()).toMatch(/2 transactions/);
  expect(await latest.getAttribute('class')).toBe('slid');
  await expect.poll(() => next.innerText(), follow).toContain('The mempool is empty.');
  expect(await findFaults(page)).toEqual([]);

  await latest.locator('a').click();
  await page.waitForURL(`**/block/${BLOCKS + 1}`);
  await leavePage(visitor, service.origin);
});

test('what a miner wrote into the coinbase is shown as text, in the strip in the list of blocks and on the page of the block', async () => {
  const tag = '<img src=x onerror=alert(1)>';
  const height = (await node.rpc<number>('getblockcount')) + 1;
  const value = subsidyAt(height, getShippedProfile('regtest'))!;
  await service.waitForTip(await mineByHand(node, [{ value, script: scriptOf(1) }], [], tag));
  const visitor = await visitPage(browser, service.origin);
  const { page } = visitor;
  expect(await page.locator('.strip-mined li').first().innerText()).toContain(`“${tag}”`);
  await page.goto(`${service.origin}/blocks`);
  await settle(visitor);
  const shown = page.locator('tbody tr').first().locator('.foreign-line');
  expect(await shown.innerText()).toBe(`“${tag}”`);
  expect(await shown.getAttribute('title')).toBe(`Coinbase tag, not verified: ${tag}`);
  expect(await findFaults(page)).toEqual([]);
  await page.goto(`${service.origin}/block/${height}`);
  await settle(visitor);
  const fact = page.locator('.facts > div', { hasText: 'Coinbase tag' });
  expect(await fact.locator('.foreign-line').innerText()).toBe(`“${tag}”`);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, service.origin);
});

test('on a telephone the tip is in view, and the page is no wider than the window', async () => {
  const visitor = await visitPage(browser, service.origin, { viewport: { width: 360, height: 740 } });
  const { page } = visitor;
  expect(await isTooWide(page)).toBe(false);
  const box = await page.locator('.strip-mined .cube').first().boundingBox();
  expect(box!.x).toBeGreaterThan(0);
  expect(box!.x).toBeLessThan(360);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, service.origin);
});
