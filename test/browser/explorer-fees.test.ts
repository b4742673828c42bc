import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { visitPage } from './explorer-visit.ts';

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

/** The figures with windows that took this long; null where the chain is shorter. */
async function takeBlocks(intervals: Readonly<Record<number, number | null>>): Promise<void> {
  service.answer('/api/v1/stats', undefined);
  const stats = (await (await fetch(`${service.origin}/api/v1/stats`)).json()) as object;
  const hashrate = Object.entries(intervals).map(([blocks, interval]) => ({
    blocks: Number(blocks),
    seconds: interval === null ? null : interval * Number(blocks),
    hashes_per_second: null,
    block_interval_seconds: interval,
  }));
  service.answer('/api/v1/stats', { body: { ...stats, hashrate } });
}

test('high, medium and low are told with what a usual payment costs; the whole table is one click away', async () => {
  const visitor = await visitPage(browser, `${service.origin}/mempool`);
  const { page } = visitor;
  const choices = page.locator('.fee-choices');
  expect(await choices.locator('dt').allInnerTexts()).toEqual(['High', 'Medium', 'Low']);
  const high = await choices.locator('dd').first().innerText();
  expect(high).toContain('3.210 /vB');
  // 140 virtual bytes, up to a whole base unit.
  expect(high).toContain('0.00000450 COIN');
  expect(await page.getByText('node estimate').first().isVisible()).toBe(false);
  await page.getByText('All estimates').click();
  expect(await page.getByText('node estimate').first().isVisible()).toBe(true);
  await page.goto(service.origin);
  await choices.waitFor();
  expect(await choices.locator('dt').allInnerTexts()).toEqual(['High', 'Medium', 'Low']);
  await leavePage(visitor, service.origin);
});

test.each([
  [{ 12: 20, 144: 300, 2016: 90 }, 'one every 5 min', '5 min'],
  [{ 12: 20, 144: null, 2016: null }, 'what the coin aims at: a block every 60 s', '60 s'],
])('the time until a block is told by how long blocks took, %o', async (intervals, says, time) => {
  await takeBlocks(intervals);
  const visitor = await visitPage(browser, `${service.origin}/mempool`);
  const { page } = visitor;
  await page.getByText('All estimates').click();
  expect(await page.locator('main').innerText()).toContain(says);
  expect(await page.locator('tbody tr').first().innerText()).toContain(`the next block\t${time}`);
  await page.goto(service.origin);
  await page.locator('.fee-choices').getByText(`next block, ~${time}`).waitFor();
  await leavePage(visitor, service.origin);
});
