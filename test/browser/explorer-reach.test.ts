import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser, type Visitor } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';

// What can be reached, and by what: the places on a telephone, one operation of a reference, other spellings of a path.

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

const visit = (path: string, options?: Parameters<TestBrowser['openVisitor']>[0]) =>
  visitPage(browser, service.origin + path, options);

const open = ({ page }: Visitor) =>
  page
    .locator('.method > details[open]')
    .evaluateAll((all: { parentElement: { id: string } }[]) =>
      all.map(({ parentElement }) => parentElement.id),
    );

test.each([320, 360, 412])(
  'on a telephone of %i pixels every place is in view, and one tap away from every other',
  async (width) => {
    const visitor = await visit('/developers', { viewport: { width, height: 740 }, hasTouch: true });
    const { page } = visitor;
    const places = page.getByRole('navigation', { name: 'Places' });
    const links = await places.getByRole('link').all();
    expect(links).toHaveLength(10);
    for (const link of links) {
      const box = await link.boundingBox();
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(width);
      expect(box!.y + box!.height).toBeLessThanOrEqual(370);
    }
    expect(await places.locator('[aria-current]').innerText()).toBe('Developers');
    expect(await isTooWide(page)).toBe(false);
    for (const name of ['Treasury', 'Blocks', 'Developers']) {
      await places.getByRole('link', { name }).tap();
      await expect.poll(() => page.locator('h1').allInnerTexts(), follow).toEqual([name]);
      expect(await places.locator('[aria-current]').innerText()).toBe(name);
    }
    await settle(visitor);
    expect(await findFaults(page)).toEqual([]);
    await leavePage(visitor, service.origin);
  },
);

test('an address that names an operation opens it and leads to it', async () => {
  const visitor = await visit('/developers/chain#listUtxos');
  const { page } = visitor;
  await expect.poll(() => open(visitor), follow).toEqual(['listUtxos']);
  const top = async () => (await page.locator('#listUtxos').boundingBox())!.y;
  await expect.poll(top, follow).toBeLessThan(100);
  expect(await top()).toBeGreaterThanOrEqual(0);
  expect(await page.evaluate('scrollY')).toBeGreaterThan(400);
  expect(await findFaults(page)).toEqual([]);
  // So does one that is typed into the same page.
  await page.evaluate(`location.hash = 'getBlock'`);
  await expect.poll(() => open(visitor), follow).toEqual(expect.arrayContaining(['getBlock']));
  await leavePage(visitor, service.origin);
});

test('on a telephone the height of an old block is in one piece', async () => {
  const visitor = await visit('/blocks', { viewport: { width: 360, height: 740 } });
  const { page } = visitor;
  const rows = await page
    .locator('tbody td a')
    .evaluateAll((links: { getClientRects(): { length: number } }[]) =>
      links.map((link) => link.getClientRects().length),
    );
  expect(new Set(rows)).toEqual(new Set([1]));
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, service.origin);
});

const hash = 'ab'.repeat(32);

test.each([
  [`/tx/${hash}`, 1280],
  [`/tx/${hash}`, 360],
  ['/developers/chain', 360],
  ['/blocks', 360],
])(
  '%s at %i pixels: links in a text are seen as such, and none is too small for a finger',
  async (path, width) => {
    const visitor = await visit(path, { viewport: { width, height: 740 }, hasTouch: true });
    expect(await findFaults(visitor.page)).toEqual([]);
    await leavePage(visitor, service.origin);
  },
);

test('an operation has a link to itself', async () => {
  const visitor = await visit('/developers/names');
  const { page } = visitor;
  expect(await open(visitor)).toEqual([]);
  await page.locator('.method summary').first().click();
  await page.getByRole('link', { name: 'Link to this operation' }).click();
  const id = new URL(page.url()).hash.slice(1);
  expect(await open(visitor)).toEqual([id]);
  await page.reload();
  await settle(visitor);
  await expect.poll(() => open(visitor), follow).toEqual([id]);
  await leavePage(visitor, service.origin);
});

test.each([
  ['/blocks/', '/blocks', 'Blocks'],
  ['/Tokens?q=x', '/tokens?q=x', 'Tokens'],
])('%s leads to %s', async (asked, path, heading) => {
  const visitor = await visit(asked);
  const { page } = visitor;
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe(path);
  expect(await page.locator('h1').innerText()).toBe(heading);
  await leavePage(visitor, service.origin);
});

test('the picture that browsers ask for by its name is one', async () => {
  const visitor = await visit('/blocks');
  const size = await visitor.page.evaluate(`new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve([image.naturalWidth, image.naturalHeight]);
    image.onerror = () => reject(new Error('no picture'));
    image.src = '/favicon.ico';
  })`);
  expect(size).toEqual([32, 32]);
  await leavePage(visitor, service.origin);
});
