import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { createTestMerchant } from '../harness/merchant.ts';
import { findFaults, leavePage } from '../harness/page-checks.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { follow, visitPage } from './explorer-visit.ts';

// What happens while somebody looks: these tests mostly wait, beside the others.

let browser: TestBrowser;
let fixture: ExplorerFixture;
let origin: string;

beforeAll(async () => {
  [browser, fixture] = await Promise.all([startBrowser(), startExplorerFixture()]);
  origin = fixture.service.origin;
});
afterAll(async () => {
  await Promise.all([browser?.stop(), fixture?.stop()]);
});

const visit = (path: string) => visitPage(browser, origin + path);

test('a block and a transaction arrive by themselves, and nothing but empty answers comes while nothing does', async () => {
  const visitor = await visit('/');
  const { page } = visitor;
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/v1/stats')) statuses.push(response.status());
  });
  await expect.poll(() => statuses.length, follow).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([304]));
  await page.evaluate('window.isFirstLoad = true');
  const txid = await fixture.node.rpc<string>('sendtoaddress', fixture.known.address, 1);
  await expect.poll(() => page.locator('.figures').innerText(), follow).toMatch(/Waiting\n+1\n/);
  await fixture.node.mine(1);
  const height = await fixture.node.rpc<number>('getblockcount');
  const top = page.locator('tbody tr').first();
  await expect.poll(() => top.innerText(), follow).toMatch(new RegExp(`^${height}\\b`));
  expect(await top.getAttribute('class')).toBe('arrived');
  expect(await page.evaluate('window.isFirstLoad')).toBe(true);
  await page.locator(`a[href="/block/${height}"]`).first().click();
  await page.getByText(txid.slice(0, 8)).first().waitFor();
  await leavePage(visitor, origin);
});

test('a hidden tab asks nothing, and catches up when it is looked at again', async () => {
  const visitor = await visit('/mempool');
  const { page, requests } = visitor;
  const hide = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    );
  const asked = () => requests.filter((url) => url.includes('/api/')).length;
  await hide(true);
  // What was under way ends; after that more than its rhythm passes without a question.
  await page.waitForLoadState('networkidle');
  const before = asked();
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 6000))');
  expect(asked()).toBe(before);
  await hide(false);
  await expect.poll(asked, follow).toBeGreaterThan(before);
  await leavePage(visitor, origin);
});

test('a payment is found by its number and followed to paid, in the same look', async () => {
  const merchant = await createTestMerchant(fixture.service, fixture.database);
  const { json: payment } = await merchant.post('/api/v1/payments', {
    recipient: await fixture.node.newAddress(),
    amount: '0.75',
    confirmations_required: 1,
  });
  const visitor = await visit('/');
  const { page } = visitor;
  const accent = `getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()`;
  const explorerAccent = await page.evaluate(accent);
  await page.locator('#q').fill(payment.id);
  await page.locator('#q').press('Enter');
  await page.waitForURL(`**/pay/${payment.id}`);
  const status = page.getByRole('status').first();
  expect(await status.innerText()).toMatch(/^Waiting for your payment/);
  expect(await page.evaluate(accent)).toBe(explorerAccent);
  await fixture.node.rpc('sendtoaddress', payment.address, '0.75');
  await expect.poll(() => status.innerText(), follow).toMatch(/^Payment seen/);
  await fixture.node.mine(1);
  await expect.poll(() => status.innerText(), follow).toMatch(/^Paid/);
  await leavePage(visitor, origin);
});

test('a contribution goes from the form to the ledger', async () => {
  const visitor = await visit('/treasury');
  const { page } = visitor;
  await page.getByLabel(/^Amount in RCOIN/).fill('1');
  await page.getByLabel('Nickname, if you like').fill('Ada');
  await page.getByLabel(/^Show it in public/).check();
  await page.getByRole('button', { name: 'Show what to pay' }).click();
  await page.getByText('Keep this secret.').waitFor();
  const uri = new URL(
    (await page.getByRole('link', { name: 'Open in a wallet' }).getAttribute('href')) ?? '',
  );
  const amount = uri.searchParams.get('amount');
  const shown = await page.getByText('Pay exactly').locator('xpath=..').innerText();
  expect(shown).toContain(amount);
  await fixture.service.waitForMempool();
  await fixture.node.rpc('sendtoaddress', uri.pathname, amount);
  await fixture.service.waitForMempool();
  await fixture.node.mine(3);
  // The page may look before the ledger has those, and looks again in a while.
  const followLedger = { timeout: 40_000 };
  await expect.poll(() => page.locator('main').innerText(), followLedger).toContain('verified, thank you');
  const ledger = page.locator('section', { hasText: 'commits to the one before' });
  await expect.poll(() => ledger.innerText(), followLedger).toMatch(/contribution\s+verified\s+Ada/);
  expect(await page.locator('main').innerText()).toMatch(/Difference\s+none/);

  // It stands in the balance over time, and in what came in.
  const history = page.locator('section', { hasText: 'Balance over time' });
  await history.getByText('Show the chart').click();
  await history.getByRole('img', { name: /^Treasury, All, from / }).waitFor();
  await history.locator('canvas').waitFor();
  // A balance holds until the next block that changes it: nothing rises in the years before the first coin came.
  const lineAt = await page.evaluate<number>(`(() => {
    const canvas = document.querySelector('.chart.large canvas');
    const over = document.querySelector('.chart.large .u-over').getBoundingClientRect();
    const box = canvas.getBoundingClientRect();
    const x = Math.round((over.left - box.left + over.width / 2) * devicePixelRatio);
    const { data } = canvas.getContext('2d').getImageData(x, 0, 1, canvas.height);
    const spread = (y) => Math.max(...data.slice(4 * y, 4 * y + 3)) - Math.min(...data.slice(4 * y, 4 * y + 3));
    const ys = [...Array(canvas.height).keys()].filter((y) => data[4 * y + 3] > 0 && spread(y) > 60);
    return (ys[0] / devicePixelRatio - (over.top - box.top)) / over.height;
  })()`);
  expect(lineAt).toBeGreaterThan(0.9);
  await history.getByText('Data as a table').click();
  expect(await history.locator('tbody td:nth-child(4)').allInnerTexts()).toContain(amount);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, origin);
});
