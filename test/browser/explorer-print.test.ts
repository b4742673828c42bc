import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { leavePage } from '../harness/page-checks.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { visitPage } from './explorer-visit.ts';

// What pages are on paper.

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

/** Sheets of A4. */
async function countSheets(page: Page): Promise<number> {
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  return [...pdf.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
}

test('a proof is one sheet that tells somebody who was never here all of it', async () => {
  const { digest, txid } = fixture.known;
  const { json: proof } = await fixture.service.get(`/api/v1/proof/lookup/${digest}`);
  const visitor = await visitPage(browser, `${origin}/proof/${digest}`, { colorScheme: 'dark' });
  const { page } = visitor;
  const paper = page.locator('.paper');
  await paper.waitFor({ state: 'attached' });
  expect(await paper.isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Print the proof' }).isVisible()).toBe(true);

  await page.emulateMedia({ media: 'print' });
  expect(await paper.isVisible()).toBe(true);
  const text = await paper.innerText();
  const { primary } = proof;
  for (const whole of [
    digest,
    txid,
    primary.block_hash,
    primary.header,
    proof.script,
    `${origin}/proof/${digest}`,
  ])
    expect(text).toContain(whole);
  expect(text).toContain(`getblockhash ${primary.height}`);
  expect(text).toMatch(/Printed\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  expect(await paper.getByRole('img', { name: 'Address of this proof' }).isVisible()).toBe(true);
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
  expect(await countSheets(page)).toBe(1);
  await leavePage(visitor, origin);
});

test('a digest that is not anchored prints no proof', async () => {
  const visitor = await visitPage(browser, `${origin}/proof/${'cd'.repeat(32)}`);
  const { page } = visitor;
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.paper').count()).toBe(0);
  expect(await page.locator('main').innerText()).toContain('not anchored');
  await leavePage(visitor, origin);
});

test.each([
  ['a transaction', () => `/tx/${fixture.known.txid}`, () => fixture.known.txid],
  ['a token', () => `/token/${fixture.known.tokenId}`, () => fixture.known.tokenId],
  ['a list of blocks', () => '/blocks', () => undefined],
])('%s prints its hashes in full, and nothing to press', async (_, path, id) => {
  const visitor = await visitPage(browser, origin + path());
  const { page } = visitor;
  await page.emulateMedia({ media: 'print' });
  const printed = await page.locator('main .hash > .mono[title]').evaluateAll((all: object[]) =>
    all.map((each) => {
      const { title } = each as { title: string };
      const after = (
        globalThis as unknown as { getComputedStyle: (e: object, p: string) => { content: string } }
      ).getComputedStyle(each, '::after').content;
      return [title, after.replaceAll('"', '')];
    }),
  );
  expect(printed.length).toBeGreaterThan(1);
  for (const [whole, shown] of printed) expect(shown).toBe(whole);
  const known = id();
  if (known !== undefined) expect(printed.map(([whole]) => whole)).toContain(known);
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('combobox').count()).toBe(0);
  await leavePage(visitor, origin);
});

/** Everything in the page that is shortened in its middle or its end, as the sheet has it: whole, by its title. */
const readShortened = (page: Page) =>
  page.evaluate<{ title: string; shown: string; size: string }[]>(`(() => {
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const each = texts.currentNode.parentElement;
      if (!texts.currentNode.data.includes('…') || each.closest('svg') || !each.checkVisibility()) continue;
      const shown = getComputedStyle(each, '::after').content.replaceAll('"', '');
      found.push({ title: each.title, shown, size: getComputedStyle(each).fontSize });
    }
    return found;
  })()`);

test('transactions and addresses print nothing shortened: sources, spenders, data, scripts', async () => {
  const { address, digest, txid } = fixture.known;
  const read = async (path: string) => (await fixture.service.get(path)).json;
  const { inputs } = await read(`/api/v1/tx/${txid}`);
  const { transactions } = await read('/api/v1/block/111');
  const coinbase = await read(`/api/v1/tx/${transactions.items[0].txid}`);
  const data = coinbase.outputs.find((output: { data: string | null }) => output.data !== null).data;
  const { script } = await read(`/api/v1/address/${address}`);
  for (const [path, wanted] of [
    [`/tx/${txid}`, [inputs[0].txid, digest]],
    [`/tx/${inputs[0].txid}`, [txid]],
    [`/tx/${coinbase.txid}`, [data]],
    [`/address/${address}`, [script]],
  ] as const) {
    const visitor = await visitPage(browser, origin + path);
    await visitor.page.emulateMedia({ media: 'print' });
    const printed = await readShortened(visitor.page);
    for (const { title, shown, size } of printed) {
      expect(title).toMatch(/^[^…]+$/);
      expect([path, shown, size]).toEqual([path, title, '0px']);
    }
    expect(printed.map(({ title }) => title)).toEqual(expect.arrayContaining([...wanted]));
    await leavePage(visitor, origin);
  }
});

test('what others wrote is broken into lines on paper, and not cut', async () => {
  const visitor = await visitPage(browser, `${origin}/names`);
  const { page } = visitor;
  const name = page.locator('main .foreign-line').first();
  await name.evaluate((each) => Object.assign(each, { textContent: 'long'.repeat(60) }));
  const isCut = () =>
    name.evaluate((each) => {
      const { scrollWidth, clientWidth } = each as unknown as Record<'scrollWidth' | 'clientWidth', number>;
      return scrollWidth > clientWidth;
    });
  expect(await isCut()).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await isCut()).toBe(false);
  await leavePage(visitor, origin);
});
