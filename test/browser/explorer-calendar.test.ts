import { createHash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { visitPage } from './explorer-visit.ts';
import { isEnglish, readTexts } from './page-texts.ts';

// A digest that is in the calendar's tree and that a transaction carries itself: the earlier one is the proof.

let browser: TestBrowser;
let fixture: ExplorerFixture;
let origin: string;
/** In the calendar first, and anchored again later; the other way round; in the calendar alone. */
let calendarFirst: string;
let ownFirst: string;
let calendarOnly: string;

beforeAll(async () => {
  [browser, fixture] = await Promise.all([
    startBrowser(),
    startExplorerFixture({
      settings: { COINFRONT_ANCHOR_WALLET: 'main', COINFRONT_CALENDAR_INTERVAL: '1' },
    }),
  ]);
  origin = fixture.service.origin;
  [calendarFirst, ownFirst, calendarOnly] = [1, 2, 3].map(() => randomBytes(32).toString('hex')) as [
    string,
    string,
    string,
  ];
  await anchorItself(ownFirst);
  await take([calendarFirst, ownFirst, calendarOnly]);
  await anchorItself(calendarFirst);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), fixture?.stop()]);
});

const read = async (path: string) => (await fixture.service.get(path)).json;

async function mine(): Promise<void> {
  const [hash] = await fixture.node.mine(1);
  await fixture.service.waitForTip(hash);
}

async function take(digests: string[]): Promise<void> {
  const { status, text } = await fixture.service.post('/api/v1/proof/batch', { sha256: digests });
  expect(status, text).toBe(200);
  await waitUntil(
    'the root is in the mempool',
    async () => (await read(`/api/v1/proof/leaf/${digests[0]}`)).state === 'mempool',
  );
  await mine();
}

async function anchorItself(digest: string): Promise<void> {
  const { node, service } = fixture;
  const { script } = await read(`/api/v1/proof/lookup/${digest}`);
  const created = await node.rpc('createrawtransaction', [], [{ data: script.slice(4) }]);
  const funded = await node.rpc<{ hex: string }>('fundrawtransaction', created);
  const signed = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', funded.hex);
  await node.rpc('sendrawtransaction', signed.hex);
  await service.waitForMempool();
  await mine();
}

const shownTime = (page: Page) => page.locator('main dl.facts time').first().getAttribute('datetime');

test("the calendar's proof is shown where it is earlier, and the transaction of its own as a further anchor", async () => {
  const own = (await read(`/api/v1/proof/lookup/${calendarFirst}`)).primary;
  const leaf = await read(`/api/v1/proof/leaf/${calendarFirst}`);
  expect(leaf.primary.height).toBeLessThan(own.height);
  const visitor = await visitPage(browser, `${origin}/proof/${calendarFirst}`);
  const { page } = visitor;
  await page.getByText('The proof holds').waitFor();
  expect(await shownTime(page)).toBe(leaf.primary.median_time);
  const facts = await page.locator('main dl.facts').first().innerText();
  expect(facts).toContain(`leaf ${leaf.leaf.index} of the 3 digests`);
  expect(await page.locator(`main dl.facts a[href="/tx/${leaf.primary.txid}"]`).count()).toBe(1);
  expect(await page.locator(`main dl.facts a[href="/tx/${own.txid}"]`).count()).toBe(0);
  await page.getByText('The path leads from the digest to the root of a tree of digests.').waitFor();
  expect(await page.locator(`main table a[href="/tx/${own.txid}"]`).count()).toBe(1);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, origin);
});

test("a transaction of its own that is earlier is shown, and the calendar's as a further anchor", async () => {
  const own = (await read(`/api/v1/proof/lookup/${ownFirst}`)).primary;
  const leaf = await read(`/api/v1/proof/leaf/${ownFirst}`);
  expect(own.height).toBeLessThan(leaf.primary.height);
  const visitor = await visitPage(browser, `${origin}/proof/${ownFirst}`);
  const { page } = visitor;
  await page.getByText('The proof holds').waitFor();
  expect(await shownTime(page)).toBe(own.median_time);
  await page.getByText('One of its outputs carries the marker and this digest.').waitFor();
  const row = page.locator('main table tbody tr');
  expect(await row.count()).toBe(1);
  expect(await row.innerText()).toContain("of the calendar's tree");
  await leavePage(visitor, origin);
});

test("the calendar's proof prints as one sheet, by which anybody can compute the root", async () => {
  const { leaf, primary } = await read(`/api/v1/proof/leaf/${calendarOnly}`);
  const { script } = await read(`/api/v1/proof/lookup/${calendarOnly}`);
  const visitor = await visitPage(browser, `${origin}/proof/${calendarOnly}`);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Print the proof' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  const paper = page.locator('.paper');
  const text = await paper.innerText();
  for (const whole of [calendarOnly, primary.txid, primary.block_hash, primary.header, leaf.root])
    expect(text).toContain(whole);
  expect(text).toContain(script.slice(0, -64) + leaf.root);

  // As the sheet says.
  const sha256 = (hex: string) => createHash('sha256').update(hex, 'hex').digest('hex');
  const siblings = await paper.locator('dd li').allInnerTexts();
  expect(siblings).toHaveLength(leaf.path.length);
  let hash = sha256(`00${calendarOnly}`);
  for (const sibling of siblings) {
    const [, other = '', side] = /^([0-9a-f]{64}) on the (left|right)$/.exec(sibling) ?? [];
    hash = sha256(side === 'left' ? `01${other}${hash}` : `01${hash}${other}`);
  }
  expect(hash).toBe(leaf.root);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect([...pdf.matchAll(/\/Type\s*\/Page\b(?!s)/g)]).toHaveLength(1);
  await leavePage(visitor, origin);
});

test('who reads German is told so in German, on the screen and on paper', async () => {
  const visitor = await visitPage(browser, `${origin}/proof/${calendarFirst}`, { locale: 'de-DE' });
  const { page } = visitor;
  await page.getByText('Der Nachweis stimmt').waitFor();
  expect((await readTexts(page)).filter(isEnglish)).toEqual([]);
  await leavePage(visitor, origin);
});
