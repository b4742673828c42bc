import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { visitPage } from './explorer-visit.ts';

const nodeKey = 'ab'.repeat(32);
const LAST_DAY = Date.parse('2026-11-26');

/** Nothing is known of the first 60 days; of the others all passed but the last two. */
const days = Array.from({ length: 90 }, (_, i) => {
  const day = new Date(LAST_DAY - (89 - i) * 86_400_000).toISOString().slice(0, 10);
  if (i < 60) return { day, passed: 0, failed: 0, uptime_ppm: null };
  if (i === 88) return { day, passed: 36, failed: 108, uptime_ppm: 250_000 };
  if (i === 89) return { day, passed: 0, failed: 144, uptime_ppm: 0 };
  return { day, passed: 144, failed: 0, uptime_ppm: 1_000_000 };
});

/** Runs in the page: width and kind of the line around each box, and how full it is. */
const readLooks = `[...document.querySelectorAll('.life p i')].map((box) => {
  const { borderTopStyle, borderTopWidth, backgroundImage, backgroundSize } = getComputedStyle(box);
  return [borderTopWidth, borderTopStyle, backgroundImage === 'none' ? 'empty' : backgroundSize].join(' ');
})`;

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
  service.answer('/api/nodeproof/nodes/{node_key}/uptime', { body: { node_key: nodeKey, days } });
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

test.each(['light', 'dark'] as const)(
  'the page of a node draws its days, and tells passed, failed and unknown ones apart without colour: %s',
  async (colorScheme) => {
    const visitor = await visitPage(browser, `${service.origin}/node/${nodeKey}`, {
      viewport: { width: 1280, height: 900 },
    });
    const { page } = visitor;
    await page.emulateMedia({ colorScheme });
    const picture = page.getByRole('img', { name: /^Uptime on each of 90 days; / });
    const boxes = picture.locator('i');
    expect(await boxes.count()).toBe(90);
    const looks = await page.evaluate(readLooks);
    expect(looks).toEqual([
      ...Array(60).fill('1px dashed empty'),
      ...Array(28).fill('1px solid 100% 100%'),
      '2px solid 100% 25%',
      '2px solid 100% 0%',
    ]);
    const section = page.locator('section', { has: page.getByRole('heading', { name: /^Uptime by day/ }) });
    expect(await section.innerText()).toContain('unknown: no slot was judged, on 60 days');
    expect(await boxes.first().getAttribute('title')).toBe('2026-08-29: unknown');
    await section.getByText('Data as a table').click();
    const rows = await section.locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split(/\s*\t\s*/)).filter((_, i) => i < 3 || i === 89)).toEqual([
      ['2026-11-26', '0', '144', '0.00 %'],
      ['2026-11-25', '36', '108', '25.00 %'],
      ['2026-11-24', '144', '0', '100.00 %'],
      ['2026-08-29', '–', '–', 'unknown'],
    ]);
    expect(await findFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await isTooWide(page)).toBe(false);
    expect(await findFaults(page)).toEqual([]);
    await leavePage(visitor, service.origin);
  },
);

test('the days of a node are told in German, on a telephone, too', async () => {
  const visitor = await visitPage(browser, `${service.origin}/node/${nodeKey}`, {
    locale: 'de-DE',
    viewport: { width: 360, height: 740 },
  });
  const { page } = visitor;
  await page.getByRole('img', { name: /^Erreichbarkeit nach Tagen \(90 Tage\); / }).waitFor();
  const text = await page.locator('main').innerText();
  for (const shown of ['Erreichbarkeit nach Tagen', 'unbekannt, da nichts bewertet wurde: 60 Tage'])
    expect(text).toContain(shown);
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, service.origin);
});

test('a page whose days cannot be read shows the rest of the node', async () => {
  service.answer('/api/nodeproof/nodes/{node_key}/uptime', {
    status: 503,
    body: { code: 'index_unavailable', title: 'x', status: 503, detail: 'The database cannot be read.' },
  });
  const visitor = await visitPage(browser, `${service.origin}/node/${nodeKey}`);
  const { page } = visitor;
  await page.locator('section .trouble').waitFor();
  expect(await page.locator('.facts').innerText()).toContain('Blocks behind');
  // What it was asked for is answered by an error, which is what browsers log.
  await visitor.context.close();
});
