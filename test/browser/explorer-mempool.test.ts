import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';
import { readScreenshot } from './read-png.ts';

const STEP_S = 60;
const bounds = ['0.000', '2.000', '4.000', '8.000', '15.000', '30.000', '60.000', '125.000'];

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

/** The last day by the minute, as if the service had been down for six hours in the middle of it. */
function makeHistory(range = 'day') {
  const to = Math.floor(Date.now() / 1_000 / STEP_S) * STEP_S + STEP_S;
  const from = to - 86_400;
  const points = Array.from({ length: 1_440 }, (_, i) => ({
    time: new Date((from + i * STEP_S) * 1_000).toISOString(),
    tx_count: 1_000 + i,
    vsizes: bounds.map((_, band) => 20_000 + 10_000 * band + 100 * i),
  })).filter((_, i) => i < 540 || i >= 900);
  const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();
  return { range, step_seconds: STEP_S, from: iso(from), to: iso(to), per_vb: bounds, points };
}

test('the mempool over time is drawn in the colours of the fee rates, and what was not observed is empty and says so', async () => {
  const history = makeHistory();
  service.answer('/api/v1/mempool/history', { body: history });
  const visitor = await visitPage(browser, `${service.origin}/mempool`, {
    viewport: { width: 1280, height: 900 },
  });
  const { page } = visitor;
  await page.locator('.history canvas').waitFor();
  await page
    .getByRole('img', { name: /^Mempool of the last day by fee rate, from .* kvB to .* MvB$/ })
    .waitFor();
  const says = () => page.locator('.history .chart-says span').first().innerText();
  expect(await says()).toContain('2,439 transactions, ');

  const plot = page.locator('.history .u-over');
  const { width, height } = (await plot.boundingBox())!;
  const at = (share: number) => ({ position: { x: width * share, y: height * 0.98 } });
  const isPainted = (share: number) =>
    page.evaluate<boolean>(`(() => {
      const canvas = document.querySelector('.history canvas');
      const over = document.querySelector('.history .u-over').getBoundingClientRect();
      const box = canvas.getBoundingClientRect();
      const x = (over.left - box.left + over.width * ${share}) * devicePixelRatio;
      const y = (over.top - box.top + over.height * 0.95) * devicePixelRatio;
      const [red, green, blue] = canvas.getContext('2d').getImageData(Math.round(x), Math.round(y), 1, 1).data;
      return Math.max(red, green, blue) - Math.min(red, green, blue) > 60;
    })()`);
  expect([await isPainted(0.2), await isPainted(0.5), await isPainted(0.8)]).toEqual([true, false, true]);
  await plot.hover(at(0.5));
  await expect.poll(says, follow).toContain('not observed');
  await plot.hover(at(0.8));
  await expect.poll(says, follow).toMatch(/UTC: 2,1\d\d transactions, /);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, service.origin);
});

test('its range stands in the address, and its data are to be had as CSV and as a table', async () => {
  const history = makeHistory();
  service.answer('/api/v1/mempool/history', { body: history });
  const visitor = await visitPage(browser, `${service.origin}/mempool`);
  const { page, requests } = visitor;
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('mempool-day.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(history.points.length + 1);
  expect(lines.at(-1)).toBe([history.points.at(-1)!.time, 2_439, ...history.points.at(-1)!.vsizes].join());
  // The picture says what its colours mean: below the chart each band that is shown has its own.
  const pictured = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PNG' }).click();
  const picture = await pictured;
  expect(picture.suggestedFilename()).toBe('mempool-day.png');
  const { width, height, data } = readScreenshot(await readFile(await picture.path()));
  const keys = new Set<string>();
  for (let x = 0; x < width; x += 1) {
    const [red, green, blue] = data.subarray(((height - 16) * width + x) * 4);
    if (Math.max(red!, green!, blue!) - Math.min(red!, green!, blue!) > 60)
      keys.add(`${red},${green},${blue}`);
  }
  expect(keys.size).toBeGreaterThanOrEqual(history.per_vb.length);
  await page.locator('.history').getByText('Data as a table').click();
  const rows = await page.locator('.history tbody tr').count();
  expect(rows).toBeGreaterThan(50);
  expect(rows).toBeLessThanOrEqual(100);

  service.answer('/api/v1/mempool/history', { body: makeHistory('year') });
  await page.getByRole('link', { name: '1 year' }).click();
  await page.waitForURL('**/mempool?range=year');
  await page.getByRole('img', { name: /^Mempool of the last year/ }).waitFor();
  expect(requests.some((url) => url.endsWith('/mempool/history?range=year'))).toBe(true);
  await page.reload();
  await settle(visitor);
  await page.getByRole('img', { name: /^Mempool of the last year/ }).waitFor();
  await leavePage(visitor, service.origin);
});

test('while nothing has been observed the page says so', async () => {
  service.answer('/api/v1/mempool/history', { body: { ...makeHistory(), points: [] } });
  const visitor = await visitPage(browser, `${service.origin}/mempool`);
  await visitor.page.getByText('Nothing has been observed yet.').waitFor();
  await leavePage(visitor, service.origin);
});
