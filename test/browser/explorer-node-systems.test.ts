import { afterAll, beforeAll, expect, test } from 'vitest';
import { registryExamples } from '../../service/src/parts/registry/registry-examples.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { visitPage } from './explorer-visit.ts';

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

const PATH = '/api/nodeproof/rewards/preview';
const preview = registryExamples.rewards;

test('autonomous systems are shown with their nodes, weights and amounts, and how many there are more', async () => {
  const items = Array.from({ length: 25 }, (_, i) => ({
    asn: 4_200_000_000 + i,
    nodes: 3,
    eligible: 2,
    weight: i === 0 ? '1000000000000' : '123456789012',
    amount: '0.50000000',
  }));
  service.answer(PATH, {
    body: { ...preview, autonomous_systems: { count: 1_400, unknown_nodes: 17, items } },
  });
  const visitor = await visitPage(browser, `${service.origin}/nodes`);
  const { page } = visitor;
  await page.getByRole('heading', { name: 'Autonomous systems' }).waitFor();
  await page.getByText('Listed: 25 of 1,400.').waitFor();
  await page.getByText('not known: 17.').waitFor();
  const first = page.getByRole('row').filter({ hasText: 'AS4200000000' });
  expect((await first.innerText()).split(/\s*\t\s*/)).toEqual([
    'AS4200000000',
    '3',
    '2',
    '100 %',
    '0.50000000',
  ]);
  expect(await page.getByRole('row').filter({ hasText: 'AS42' }).count()).toBe(25);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, service.origin);
});

test('without a table nothing is said of autonomous systems', async () => {
  service.answer(PATH, { body: { ...preview, as_table: null, autonomous_systems: null } });
  const visitor = await visitPage(browser, `${service.origin}/nodes`);
  await visitor.page.getByRole('heading', { name: 'Preview of rewards' }).waitFor();
  expect(await visitor.page.getByText('Autonomous system').count()).toBe(0);
  await leavePage(visitor, service.origin);
});
