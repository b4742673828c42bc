import type { HealthJson } from '@coinfront/api/chain-state.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';

// What a page does while the network or the node is away, and once they are back.

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});
afterEach(() => service.answer('/api/v1/health', undefined));

const visit = (path: string) => visitPage(browser, service.origin + path);

test('a page that is first opened without a network comes by itself when there is one', async () => {
  const visitor = await visit('/blocks');
  const { page, context } = visitor;
  await context.setOffline(true);
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Tokens' }).click();
  await expect.poll(() => page.locator('.trouble').innerText(), follow).toContain('tried again by itself');
  await context.setOffline(false);
  await expect.poll(() => page.locator('h1').allInnerTexts(), follow).toEqual(['Tokens']);
  await page.locator('tbody tr').first().waitFor();
  expect(await page.locator('.trouble').count()).toBe(0);
  await leavePage(visitor, service.origin);
});

test('where only the code of a page is not there, as after an update, the service sends the page, once', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  let refused = 0;
  await page.route('**/assets/tokens-page-*', (route) => {
    refused += 1;
    return route.abort();
  });
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Tokens' }).click();
  const kind = () => page.evaluate<string>(`performance.getEntriesByType('navigation')[0].type`);
  await expect.poll(() => kind().catch(() => 'under way'), follow).toBe('reload');
  await page.locator('.trouble').waitFor();
  await page.evaluate('window.isSame = true');
  const before = refused;
  await expect.poll(() => refused, follow).toBeGreaterThan(before + 1);
  expect(await page.evaluate('window.isSame')).toBe(true);
  await page.unroute('**/assets/tokens-page-*');
  await expect.poll(() => page.locator('h1').allInnerTexts(), follow).toEqual(['Tokens']);
  await leavePage(visitor, service.origin);
});

test('what could not be read without a network is read when there is one, though the chain has not changed', async () => {
  const visitor = await visit('/block/5');
  const { page, context } = visitor;
  const next = page.locator('main a[href^="/block/"]').first();
  const href = await next.getAttribute('href');
  await context.setOffline(true);
  await next.click();
  await expect.poll(() => page.locator('.trouble').innerText(), follow).toContain('tried again by itself');
  await context.setOffline(false);
  await page.locator('.facts').first().waitFor();
  await settle(visitor);
  expect(new URL(page.url()).pathname).toBe(href);
  expect(await page.locator('.trouble').count()).toBe(0);
  await leavePage(visitor, service.origin);
});

test('an answer of 503 is asked for again by itself', async () => {
  service.answer('/api/v1/fee', { status: 503, body: { code: 'index_unavailable', status: 503 } });
  const visitor = await visit('/mempool');
  await visitor.page.locator('.trouble').first().waitFor();
  service.answer('/api/v1/fee', undefined);
  await expect.poll(() => visitor.page.locator('.trouble').count(), { timeout: 40_000 }).toBe(0);
  await leavePage(visitor, service.origin);
});

test('that the node is away is told with the next question', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  expect(await page.locator('.alarm').count()).toBe(0);
  let questions = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/stats')) questions += 1;
  });
  const answer = await fetch(`${service.origin}/api/v1/health`);
  const health = (await answer.json()) as HealthJson;
  const away: HealthJson = { ...health, status: 'node_unavailable', ready: false };
  service.answer('/api/v1/health', { body: away });
  await expect
    .poll(() => page.locator('.alarm').allInnerTexts(), follow)
    .toEqual([expect.stringContaining('The coin node does not answer this service.')]);
  // One may have been under way.
  expect(questions).toBeLessThanOrEqual(2);
  await leavePage(visitor, service.origin);
});
