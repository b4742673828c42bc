import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { follow, visitPage } from './explorer-visit.ts';

// The API reference: its menu and filter, examples from this chain, and requests sent from the page.

let browser: TestBrowser;
let fixture: ExplorerFixture;
let origin: string;

beforeAll(async () => {
  [browser, fixture] = await Promise.all([
    startBrowser(),
    startExplorerFixture({ settings: { COINFRONT_RATE_LIMIT: '100000' } }),
  ]);
  origin = fixture.service.origin;
});
afterAll(async () => {
  await Promise.all([browser?.stop(), fixture?.stop()]);
});

const visit = (path: string, options?: Parameters<TestBrowser['openVisitor']>[0]) =>
  visitPage(browser, `${origin}/developers${path}`, options);
const operation = (page: Page, id: string) => page.locator(`[id="${id}"]`);
/** What the answer of a request that was sent from the page says. */
const answer = (page: Page, id: string) => operation(page, id).locator('form [role="status"]').innerText();

test('the menu leads to each operation, and the filter leaves what has its words', async () => {
  const visitor = await visit('/chain', { viewport: { width: 1280, height: 900 } });
  const { page } = visitor;
  const menu = page.getByRole('navigation', { name: 'Operations' });
  const all = await page.locator('.method').count();
  expect(await menu.getByRole('link').count()).toBe(all);
  await page.getByLabel('Filter operations').fill('get transaction PROOF');
  await expect.poll(() => page.locator('.method').count(), follow).toBe(1);
  expect(await menu.getByRole('link').count()).toBe(1);
  expect(await page.locator('main').innerText()).toContain(`1 of ${all} operations`);
  await menu.getByRole('link').click();
  await page.locator('.method details[open]').waitFor();
  expect(await findFaults(page)).toEqual([]);
  // Who asks for another one gets it, whatever the filter says.
  await page.evaluate(`location.hash = 'getBlock'`);
  await operation(page, 'getBlock').locator('details[open]').waitFor();
  expect(await page.getByLabel('Filter operations').inputValue()).toBe('');
  // It has been shown: what is typed then counts again.
  await page.getByLabel('Filter operations').pressSequentially('supply');
  expect(await page.getByLabel('Filter operations').inputValue()).toBe('supply');
  await expect.poll(() => operation(page, 'getBlock').count(), follow).toBe(0);
  await leavePage(visitor, origin);
});

test('examples have what this chain has, and a request that is sent shows what a program gets', async () => {
  const { json: stats } = await fixture.service.get('/api/v1/stats');
  const visitor = await visit('/chain#getBlock', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visitor;
  const shown = operation(page, 'getBlock');
  await expect
    .poll(() => shown.locator('pre').first().innerText(), follow)
    .toContain(`curl "${origin}/api/v1/block/${stats.height}"`);
  expect(await shown.locator('pre').nth(1).innerText()).toContain(
    `import { createClient, getBlock } from '@coinfront/sdk';`,
  );
  const named = shown.locator('h3', { hasText: 'Response headers' }).locator('xpath=following-sibling::*[1]');
  for (const said of ['ETag 200', 'X-Chain-Height 200', 'X-Chain-Tip 200', 'If-None-Match'])
    expect(await named.innerText()).toContain(said);
  await shown.getByLabel('id').fill('5');
  await shown.getByLabel('limit, optional').fill('1');
  await shown.getByRole('button', { name: 'Copy TypeScript example' }).click();
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'), follow)
    .toContain(`await getBlock(client, { id: '5', limit: 1 });`);
  await shown.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => answer(page, 'getBlock'), follow).toMatch(/Status\s+200 /);
  const { json: block, headers } = await fixture.service.get('/api/v1/block/5?limit=1');
  const said = await answer(page, 'getBlock');
  for (const name of ['etag', 'cache-control', 'x-chain-height', 'ratelimit-remaining', 'content-type'])
    expect(said).toContain(name);
  expect(said).toContain(headers.get('cache-control'));
  expect(said).toContain(`"hash": "${block.hash}"`);
  await shown.getByRole('button', { name: 'Send with If-None-Match' }).click();
  await expect.poll(() => answer(page, 'getBlock'), follow).toMatch(/Status\s+304 /);
  await shown.getByLabel('id').fill('999999');
  await shown.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => answer(page, 'getBlock'), follow).toMatch(/Status\s+404 /);
  expect(await answer(page, 'getBlock')).toContain('block_not_found');
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, origin);
});

test.each([
  ['/names#getName', 'getName', () => fixture.known.name],
  ['/tokens#getToken', 'getToken', () => fixture.known.tokenId],
  ['/proofs#lookUpProof', 'lookUpProof', () => fixture.known.digest],
])('%s has an example that is found', async (path, id, value) => {
  const visitor = await visit(path);
  const { page } = visitor;
  const shown = operation(page, id);
  await expect.poll(() => shown.locator('pre').first().innerText(), follow).toContain(value());
  await shown.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => answer(page, id), follow).toMatch(/Status\s+200 /);
  await leavePage(visitor, origin);
});

test('bytes are not shown as text, and of a long answer the beginning', async () => {
  const visitor = await visit('/esplora#blockRaw');
  const { page } = visitor;
  const send = () =>
    page.locator('.method details[open]').getByRole('button', { name: 'Send', exact: true }).click();
  await operation(page, 'blockRaw').getByLabel('hash').waitFor();
  await expect.poll(() => operation(page, 'blockRaw').getByLabel('hash').inputValue(), follow).not.toBe('');
  await send();
  await expect.poll(() => answer(page, 'blockRaw'), follow).toContain('The body is no text.');
  await page.route('**/block/*/raw', (route) =>
    route.fulfill({ contentType: 'text/plain', body: 'x'.repeat(150_000) }),
  );
  await send();
  await expect.poll(() => answer(page, 'blockRaw'), follow).toContain('The rest of the body is not shown');
  expect((await operation(page, 'blockRaw').locator('form pre').innerText()).length).toBe(100_000);
  await leavePage(visitor, origin);
});

test('a value of this chain that comes late leaves the field alone that somebody is in', async () => {
  const visitor = await visit('/chain');
  const { page } = visitor;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  await page.route('**/api/v1/block/*', async (route) => {
    isHeld = true;
    await released;
    await route.continue();
  });
  await page.evaluate(`location.hash = 'getTransaction'`);
  const field = operation(page, 'getTransaction').getByLabel('txid');
  const example = await field.inputValue();
  await expect.poll(() => isHeld, follow).toBe(true);
  await field.selectText();
  release();
  // It is of the same transaction as the address of another operation, which shows when it came.
  await page.evaluate(`location.hash = 'getAddress'`);
  const address = operation(page, 'getAddress').getByLabel('address');
  const documented = (await fixture.service.get('/api/v1/openapi.json')).json.paths['/address/{address}'].get
    .parameters[0].example;
  await expect.poll(() => address.inputValue(), follow).not.toBe(documented);
  expect(await field.inputValue()).toBe(example);
  await leavePage(visitor, origin);
});

test('what needs a key or changes something is not sent from the page, and a private key is sent nowhere', async () => {
  const visitor = await visit('/chain#createPayment');
  const { page, requests } = visitor;
  await operation(page, 'createPayment').locator('pre').first().waitFor();
  expect(await operation(page, 'createPayment').locator('form').count()).toBe(0);
  expect(await operation(page, 'createPayment').locator('pre').first().innerText()).toContain(
    'X-COIN-Pay-API-Key',
  );
  await page.evaluate(`location.hash = 'getAddress'`);
  const shown = operation(page, 'getAddress');
  const wif = 'cVjzvdHGfQDtBEq7oddDRcpzpYuvNtPbWdi8tKQLcZae65G4zGgy';
  await shown.getByLabel('address').fill(wif);
  await shown.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('It was not sent anywhere').waitFor();
  expect(requests.filter((url) => url.includes(wif))).toEqual([]);
  await leavePage(visitor, origin);
});

test('on a telephone the menu is closed, and nothing is too wide', async () => {
  const visitor = await visit('/chain#getBlock', { viewport: { width: 360, height: 740 }, hasTouch: true });
  const { page } = visitor;
  await operation(page, 'getBlock').getByRole('button', { name: 'Send', exact: true }).tap();
  await expect.poll(() => answer(page, 'getBlock'), follow).toMatch(/Status\s+200 /);
  expect(await isTooWide(page)).toBe(false);
  const menu = page.getByRole('navigation', { name: 'Operations' });
  expect(await menu.getByRole('link').count()).toBe(0);
  await menu.getByText('Operations').tap();
  expect(await menu.getByRole('link').count()).toBeGreaterThan(20);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, origin);
});

test('the page of developers has the latest changes', async () => {
  const visitor = await visit('');
  const { page } = visitor;
  await page.getByText('What changed lately').click();
  await page.getByRole('heading', { name: 'Unreleased' }).waitFor();
  expect(await page.locator('.changes li').count()).toBeGreaterThan(5);
  expect(await isTooWide(page)).toBe(false);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, origin);
});
