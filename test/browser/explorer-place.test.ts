import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser, type Visitor } from '../harness/browser.ts';
import { leavePage } from '../harness/page-checks.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';

// Where somebody was on a page: kept over the way back, over loading it again, and over the pages of a list.

const PLACE_PX = 500;

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

const screen = { viewport: { width: 1280, height: 600 } };
const visit = (path: string) => visitPage(browser, origin + path, screen);

const scrollOf = ({ page }: Visitor) => page.evaluate<number>('scrollY');
const scrollTo = ({ page }: Visitor, top: number) => page.evaluate(`scrollTo(0, ${top})`);
const focused = ({ page }: Visitor) => page.evaluate<string>('document.activeElement.textContent');
const firstRow = ({ page }: Visitor) => page.locator('tbody tr td').first().innerText();

/** Answers of the API are held back from now on, until the function is called. */
async function holdAnswers({ page }: Visitor): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/**', async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  return async () => {
    release();
    await page.unroute('**/api/**');
  };
}

test.each([
  ['/blocks', 'a[href^="/block/"]', '**/block/*'],
  ['/', 'a[href^="/block/"]', '**/block/*'],
  ['/names', 'tbody a[href^="/tx/"]', '**/tx/*'],
])(
  'the way back to %s leads to where it was left, with what was there, before any answer',
  async (path, link, next) => {
    const visitor = await visit(path);
    const { page } = visitor;
    await scrollTo(visitor, PLACE_PX);
    const left = await scrollOf(visitor);
    expect(left).toBeGreaterThan(100);
    const rows = await page.locator('tbody tr').count();
    await page
      .locator(link)
      .last()
      .evaluate((element: { click(): void }) => element.click());
    await page.waitForURL(next);
    await settle(visitor);
    const release = await holdAnswers(visitor);
    await page.goBack();
    await expect.poll(() => page.locator('tbody tr').count(), follow).toBe(rows);
    expect(await page.locator('.loading').count()).toBe(0);
    await expect.poll(() => scrollOf(visitor), follow).toBe(left);
    await release();
    await page.goForward();
    await page.waitForURL(next);
    await expect.poll(() => scrollOf(visitor), follow).toBe(0);
    await leavePage(visitor, origin);
  },
);

test.each(['/blocks', '/', '/names', '/nodes'])(
  '%s is where it was after it is loaded again',
  async (path) => {
    const visitor = await visit(path);
    const { page } = visitor;
    await scrollTo(visitor, PLACE_PX);
    const left = await scrollOf(visitor);
    expect(left).toBeGreaterThan(100);
    for (let time = 0; time < 3; time += 1) {
      await page.reload();
      await settle(visitor);
      await expect.poll(() => scrollOf(visitor), follow).toBe(left);
    }
    await leavePage(visitor, origin);
  },
);

test('who scrolls while a page is still read stays where they scroll to', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  await scrollTo(visitor, PLACE_PX);
  await page.reload();
  await settle(visitor);
  await expect.poll(() => scrollOf(visitor), follow).toBe(PLACE_PX);
  await page.mouse.move(600, 300);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => scrollOf(visitor), follow).toBe(PLACE_PX + 200);
  await fixture.node.mine(1);
  await fixture.service.waitForTip();
  await page.locator('tr.arrived').first().waitFor();
  expect(await scrollOf(visitor)).toBeGreaterThanOrEqual(PLACE_PX + 150);
  await leavePage(visitor, origin);
});

test('a page of a list is turned: the last one stays until the next is here, which begins at its top and has the focus', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  const first = await firstRow(visitor);
  const pager = page.locator('.pager');
  expect(await pager.innerText()).toMatch(/Page 1\s+Next page/);
  const release = await holdAnswers(visitor);
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.waitForURL(/cursor=/);
  expect(await page.locator('.loading').count()).toBe(0);
  expect(await firstRow(visitor)).toBe(first);
  expect(await pager.innerText()).toMatch(/Page 1/);
  expect(await focused(visitor)).toBe('Next page');
  await release();
  await expect.poll(() => firstRow(visitor), follow).not.toBe(first);
  const second = await firstRow(visitor);
  expect(await pager.innerText()).toMatch(/Previous page\s+Page 2\s+Next page/);
  await expect.poll(() => focused(visitor), follow).toBe('Blocks');
  expect(await page.evaluate('document.activeElement.getBoundingClientRect().top')).toBeGreaterThanOrEqual(0);

  await page.getByRole('link', { name: 'Next page' }).click();
  await expect.poll(() => pager.innerText(), follow).toMatch(/First page\s+Previous page\s+Page 3/);
  await page.reload();
  await settle(visitor);
  await page.getByRole('link', { name: 'Previous page' }).click();
  await expect.poll(() => firstRow(visitor), follow).toBe(second);
  expect(await pager.innerText()).toMatch(/Page 2/);
  await page.getByRole('link', { name: 'Previous page' }).click();
  await expect.poll(() => firstRow(visitor), follow).toBe(first);
  expect(new URL(page.url()).search).toBe('');
  // Blocks that were there are not pointed out as new.
  expect(await page.locator('tr.arrived').count()).toBe(0);
  await leavePage(visitor, origin);
});

test('with the keyboard: a page is turned, the list is where the focus is, and the way back keeps it there', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  await page.getByRole('link', { name: 'Next page' }).focus();
  const left = await scrollOf(visitor);
  expect(left).toBeGreaterThan(100);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.pager').innerText(), follow).toMatch(/Page 2/);
  await expect.poll(() => focused(visitor), follow).toBe('Blocks');
  await page.goBack();
  await expect.poll(() => page.locator('.pager').innerText(), follow).toMatch(/Page 1/);
  await expect.poll(() => focused(visitor), follow).toBe('Blocks');
  await expect.poll(() => scrollOf(visitor), follow).toBe(left);
  await page.goForward();
  await expect.poll(() => page.locator('.pager').innerText(), follow).toMatch(/Page 2/);
  await leavePage(visitor, origin);
});

test('a cursor that is none says so, with the way to the first page', async () => {
  const visitor = await visit('/blocks?cursor=none&page=3');
  const { page } = visitor;
  await page.locator('.trouble').getByRole('link', { name: 'First page' }).click();
  await page.locator('tbody tr').first().waitFor();
  expect(new URL(page.url()).search).toBe('');
  await leavePage(visitor, origin);
});

test('the number of a page is in its address; whoever gets it from somebody has a way to the first page', async () => {
  const { json } = await fixture.service.get('/api/v1/blocks?limit=50');
  const visitor = await visit(`/blocks?cursor=${json.next_cursor}&page=7`);
  const { page } = visitor;
  expect(await page.locator('.pager').innerText()).toMatch(/First page\s+Page 7\s+Next page/);
  await page.getByRole('link', { name: 'First page' }).click();
  await expect.poll(() => page.locator('.pager').innerText(), follow).toMatch(/^Page 1\s+Next page$/);
  await leavePage(visitor, origin);
});
