import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { settle, visitPage } from './explorer-visit.ts';

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

test('a click on a moment shows dates on all pages, a switch UTC, and both are kept', async () => {
  const visitor = await visitPage(browser, `${service.origin}/blocks`, {
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
  });
  const { page } = visitor;
  const first = page.locator('main tbody time').first();
  const at = new Date((await first.getAttribute('datetime'))!);
  expect(await first.innerText()).toMatch(/ago$|^now$|^in /);
  await first.click();
  const written = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Tokyo',
  }).format(at);
  expect(await first.innerText()).toBe(written);
  await page.getByRole('button', { name: 'Use UTC' }).click();
  const inUtc = at.toISOString().slice(0, 16).replace('T', ' ');
  expect(await first.innerText()).toBe(inUtc);
  await page.reload();
  await settle(visitor);
  expect(await first.innerText()).toBe(inUtc);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  expect(await findFaults(page)).toEqual([]);
  // By the keyboard as well.
  await page.getByRole('button', { name: 'Show ages' }).press('Enter');
  expect(await first.innerText()).toMatch(/ago$|^now$|^in /);
  await page.getByRole('button', { name: 'Use local time' }).press('Enter');
  await leavePage(visitor, service.origin);
});

test('a choice that something else wrote over is as if there were none', async () => {
  const visitor = await browser.openVisitor();
  const { page } = visitor;
  await page.addInitScript(`localStorage.setItem('times', '{"shows":5,')`);
  await page.goto(`${service.origin}/blocks`);
  await settle(visitor);
  expect(await page.locator('main tbody time').first().innerText()).toMatch(/ago$|^now$|^in /);
  await leavePage(visitor, service.origin);
});

test('ages of the latest blocks take one line where their table stands beside another column, and where it stands alone', async () => {
  for (const [locale, age] of [
    ['en-GB', '12 min ago'],
    ['de-DE', 'vor 12 Min.'],
  ] as const) {
    const visitor = await visitPage(browser, service.origin, { locale });
    const { page } = visitor;
    const ages = page.locator('td.age time');
    for (const width of [1_000, 1_100, 1_200, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      const lines = await ages.evaluateAll((times, text) => {
        for (const time of times) time.textContent = text;
        return times.map((time) => time.getClientRects().length);
      }, age);
      expect(lines.length).toBeGreaterThan(0);
      expect(new Set(lines), `${locale} at ${width}`).toEqual(new Set([1]));
    }
    await leavePage(visitor, service.origin);
  }
});
