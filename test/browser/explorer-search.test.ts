import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';

// Suggestions below the search box, and what is said when nothing is found.

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

const visit = (options?: Parameters<TestBrowser['openVisitor']>[0]) =>
  visitPage(browser, `${origin}/proofs`, options);
const options = (page: Page) => page.getByRole('option').allInnerTexts();
const active = (page: Page) =>
  page
    .getByRole('option', { selected: true })
    .allInnerTexts()
    .then((all) => all.map((each) => each.replace(/\s+/g, ' ')));
const offers = (page: Page, what: RegExp) =>
  expect.poll(async () => (await options(page)).join(' | ').replace(/\s+/g, ' '), follow).toMatch(what);
const kept = (page: Page) => page.evaluate<string | null>('localStorage.getItem("recent-searches")');

test('the list offers names and tokens by how they begin, and what a text is by its form', async () => {
  const { txid, tokenId, name } = fixture.known;
  const visitor = await visit();
  const { page } = visitor;
  const box = page.getByRole('combobox');
  await box.focus();
  for (const [text, what] of [
    ['sho', new RegExp(`Name ${name}.*Token SHOWN ${tokenId.slice(0, 5)}…${tokenId.slice(-5)}`)],
    ['SHOW', /Token SHOWN/],
    ['shown.', /^Name shown\.coin$/],
    ['1', /^Block 1$/],
    ['#111', /^Block 111$/],
    [`${txid}:1`, /^Transaction .* output 1$/],
    ['vp-0123456789ab', /^Payment VP-0123456789AB$/],
    [`coin:${fixture.known.address}?amount=1`, /^Address /],
    [`https://elsewhere.example/tx/${txid}`, /^Transaction /],
  ] as const) {
    await box.fill(text);
    await offers(page, what);
  }
  expect(await box.getAttribute('aria-expanded')).toBe('true');
  expect(await findFaults(page)).toEqual([]);
  await box.fill('no such thing');
  await expect.poll(() => options(page), follow).toEqual([]);
  expect(await box.getAttribute('aria-expanded')).toBe('false');
  await leavePage(visitor, origin);
});

test('it is worked by the keyboard, as listboxes are', async () => {
  const { name } = fixture.known;
  const visitor = await visit();
  const { page } = visitor;
  const box = page.getByRole('combobox');
  await box.fill('sho');
  await offers(page, /Token SHOWN/);
  expect(await active(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  expect(await active(page)).toEqual([`Name ${name}`]);
  const activeId = await box.getAttribute('aria-activedescendant');
  expect(await page.locator(`[id="${activeId}"]`).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('End');
  expect(await active(page)).toEqual([expect.stringMatching(/^Token SHOWN /)]);
  await page.keyboard.press('ArrowDown');
  expect(await active(page)).toEqual([]);
  await page.keyboard.press('ArrowUp');
  expect(await active(page)).toEqual([expect.stringMatching(/^Token SHOWN /)]);
  await page.keyboard.press('Home');
  expect(await active(page)).toEqual([`Name ${name}`]);
  await page.keyboard.press('Escape');
  expect(await options(page)).toEqual([]);
  expect(await box.inputValue()).toBe('sho');
  await page.keyboard.press('Escape');
  expect(await box.inputValue()).toBe('');
  await box.fill('sho');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  await offers(page, /Name/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/name/${name}`);
  await settle(visitor);
  expect(await options(page)).toEqual([]);
  expect(await box.inputValue()).toBe('');
  await leavePage(visitor, origin);
});

test('what was found is offered again, the latest first, until it is cleared', async () => {
  const { tokenId } = fixture.known;
  const visitor = await visit();
  const { page } = visitor;
  const box = page.getByRole('combobox');
  await box.fill('5');
  await box.press('Enter');
  await page.waitForURL('**/block/5');
  await box.fill('show');
  await offers(page, /Token SHOWN/);
  await page.getByRole('option', { name: 'Token SHOWN' }).click();
  await page.waitForURL(`**/token/${tokenId}`);
  await box.fill('no such thing');
  await box.press('Enter');
  await page.waitForURL('**/search?q=*');
  await page.reload();
  await settle(visitor);
  await box.focus();
  await offers(page, /^Token SHOWN \| Block 5 \| Clear recent searches$/);
  expect(await findFaults(page)).toEqual([]);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => options(page), follow).toEqual([]);
  expect(await kept(page)).toBe(null);
  await leavePage(visitor, origin);
});

test('nothing that looks like a key is sent, offered or kept while it is typed', async () => {
  const visitor = await visit();
  const { page, requests } = visitor;
  const box = page.getByRole('combobox');
  const wif = 'cVjzvdHGfQDtBEq7oddDRcpzpYuvNtPbWdi8tKQLcZae65G4zGgy';
  const words = `${'abandon '.repeat(11)}about`;
  const secrets = [wif, words, `https://coin.example/address/${wif}`];
  await box.focus();
  for (const secret of secrets) {
    const before = requests.length;
    await box.fill(secret);
    await box.press('ArrowDown');
    expect(await options(page)).toEqual([]);
    await box.press('Enter');
    await page.getByText('It was not sent anywhere').waitFor();
    expect(requests.slice(before).filter((url) => !/\/api\/v1\/(stats|health)|\/assets\//.test(url))).toEqual(
      [],
    );
  }
  await box.pressSequentially(words.slice(0, 60), { delay: 20 });
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  const sent = requests.filter((url) => url.includes('/suggestions')).map((url) => new URL(url).search);
  expect(sent.every((query) => 'abandon'.startsWith(query.slice('?q='.length)))).toBe(true);
  expect(await kept(page)).toBe(null);
  await leavePage(visitor, origin);
});

test('of two answers that come in the wrong order the one to what stands in the box counts', async () => {
  const visitor = await visit();
  const { page } = visitor;
  const box = page.getByRole('combobox');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/suggestions?q=a', async (route) => {
    await held;
    await route
      .fulfill({
        json: { items: [{ kind: 'name', id: 'ab-late.coin', label: 'ab-late.coin', path: '/' }] },
      })
      .catch(() => {});
  });
  await page.route('**/suggestions?q=ab', (route) =>
    route.fulfill({
      json: { items: [{ kind: 'name', id: 'ab-first.coin', label: 'ab-first.coin', path: '/' }] },
    }),
  );
  const asked = page.waitForRequest('**/suggestions?q=a');
  await box.fill('a');
  await asked;
  await box.fill('ab');
  await offers(page, /^Name ab-first\.coin$/);
  release();
  await page.unrouteAll({ behavior: 'wait' });
  await offers(page, /^Name ab-first\.coin$/);
  await leavePage(visitor, origin);
});

test('on a telephone the list fits, and a tap chooses', async () => {
  const visitor = await visit({ viewport: { width: 360, height: 740 }, hasTouch: true });
  const { page } = visitor;
  await page.getByRole('combobox').tap();
  await page.getByRole('combobox').pressSequentially('sho');
  await offers(page, /Token SHOWN/);
  expect(await isTooWide(page)).toBe(false);
  const heights = await page
    .getByRole('option')
    .evaluateAll((all: { offsetHeight: number }[]) => all.map(({ offsetHeight }) => offsetHeight));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole('option', { name: fixture.known.name }).tap();
  await page.waitForURL(`**/name/${fixture.known.name}`);
  await leavePage(visitor, origin);
});

test('when nothing is found the page says what the text looks like, and where to go', async () => {
  const { json: status } = await fixture.service.get('/api/v1/status');
  const tip = status.index.height.toLocaleString('en-US');
  const visitor = await visitPage(browser, `${origin}/search?q=${encodeURIComponent('#999,999')}`);
  const { page } = visitor;
  const main = page.locator('main');
  await expect.poll(() => main.innerText(), follow).toContain(`the latest block is ${tip}`);
  for (const [text, says, step] of [
    ['free.coin', 'never registered', '/name/free.coin'],
    ['nobody', 'No token has a ticker', '/name/nobody.coin'],
    ['cd'.repeat(32), 'not anchored', `/proof/${'cd'.repeat(32)}`],
  ] as const) {
    await page.goto(`${origin}/search?q=${text}`);
    await expect.poll(() => main.innerText(), follow).toContain(says);
    expect(await main.locator(`a[href="${step}"]`).count()).toBe(1);
  }
  expect(await main.innerText()).toContain('What can be searched');
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, origin);
});
