import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser, type Visitor } from '../harness/browser.ts';
import { expectPolicyHolds, findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';

const follow = { timeout: 20_000 };

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

const answered: string[] = [];
afterEach(() => {
  for (const path of answered.splice(0)) service.answer(path, undefined);
  service.change(undefined);
});

function answer(path: string, status: number, body: unknown): void {
  service.answer(path, { status, body });
  answered.push(path);
}

async function visit(path: string, width = 1280): Promise<Visitor> {
  const visitor = await browser.openVisitor({ viewport: { width, height: 800 } });
  await open(visitor, path);
  return visitor;
}

async function open({ page }: Visitor, path: string): Promise<void> {
  await page.goto(service.origin + path);
  await page.locator('main h1').first().waitFor();
  await expect.poll(() => page.locator('.loading, main.first').count(), follow).toBe(0);
}

const hash = 'ab'.repeat(32);
/** Pages that show what strangers wrote. */
const pages = [
  '/tokens',
  `/token/${hash}`,
  '/names',
  '/name/alice.coin',
  '/pool',
  '/pool/miner/1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '/nodes',
  `/node/${hash}`,
  '/treasury',
  '/releases',
  `/address/1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa`,
  `/tx/${hash}`,
  '/search?q=x',
];

/** Fields that hold words of strangers, or that might in a service that is not ours. */
const foreign = new Set([
  ...['name', 'ticker', 'description', 'label', 'notes', 'reason', 'reason_text', 'user_agent', 'tag', 'id'],
  ...['product', 'version', 'platform', 'nickname', 'endpoint', 'network', 'title', 'summary', 'address'],
]);

function replaceForeign(text: string): (body: unknown) => unknown {
  const replace = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return foreign.has(key) ? text : value;
    if (Array.isArray(value)) return value.map((each) => replace(each, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replace(each, name)]));
  };
  return (body) => replace(body);
}

test.each([
  ['markup', '<img src=x onerror=alert(1)><script>alert(2)</script></bdi></main><h1>Paid</h1>'],
  ['an end of the data', '</script><script>alert(1)</script><!--'],
  ['text that turns around', '\u202e\u2067 reversed \u2066 \u202d'],
  ['10,000 characters', 'W'.repeat(10_000)],
  ['marks upon marks', `Z${'\u0300\u0336'.repeat(2_000)}`],
])(
  'names, tokens and descriptions with %s are nothing but text',
  async (_, text) => {
    service.change(replaceForeign(text));
    const visitor = await browser.openVisitor({ viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    for (const path of pages) {
      await open(visitor, path);
      expect([path, await isTooWide(page)]).toEqual([path, false]);
      expect([path, await page.locator('h1').count()]).toEqual([path, 1]);
      expect(
        await page
          .locator('main')
          .evaluate((main) => main.querySelectorAll('script, iframe, style, img:not(.logo)').length),
      ).toBe(0);
      // A direction that is turned inside stays inside.
      expect(await page.evaluate(`getComputedStyle(document.querySelector('.foot')).direction`)).toBe('ltr');
    }
    await leavePage(visitor, service.origin);
  },
  120_000,
);

test.each([
  '/tokens',
  `/token/${hash}`,
  '/name/alice.coin',
  '/pool',
  '/pool/miner/1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '/nodes',
  `/node/${hash}`,
  '/treasury',
  '/releases',
])('%s, full of what it can show, has no fault that axe finds', async (path) => {
  const visitor = await visit(path);
  expect(await visitor.page.locator('.trouble').count()).toBe(0);
  expect(await findFaults(visitor.page)).toEqual([]);
  await leavePage(visitor, service.origin);
});

test.each([
  ['a word', 'Coins.'],
  ['many lines', 'A line of what it is for.\n'.repeat(60)],
])('what an issuer says in %s stands apart from its picture and from the facts below', async (_, text) => {
  const metadata = {
    name: 'Berth',
    description: text,
    website: null,
    links: [],
    logo: { path: '/icon.svg', type: 'image/svg+xml' },
    approved_at: '2026-01-10T10:00:00.000Z',
  };
  service.change((body) => {
    const { token, ...others } = body as { token?: object };
    return token === undefined ? body : { ...others, token: { ...token, metadata } };
  });
  const visitor = await visit(`/token/${hash}`);
  const section = visitor.page.locator('section', { has: visitor.page.locator('.logo') });
  const [logo, words, facts] = await Promise.all(
    ['.logo', '.said > div', '.facts'].map((part) => section.locator(part).first().boundingBox()),
  );
  expect(words!.x).toBeGreaterThanOrEqual(logo!.x + logo!.width);
  for (const above of [logo!, words!]) expect(facts!.y).toBeGreaterThan(above.y + above.height);
  await leavePage(visitor, service.origin);
});

test('the policy stops what an escaped text would have stopped already', async () => {
  const visitor = await visit('/tokens');
  await expectPolicyHolds(visitor);
  await visitor.context.close();
});

const healthOf = (status: string, lag: number | null, sync: object | null = null) => ({
  status,
  ready: status === 'lagging',
  lag_blocks: lag,
  sync,
  index: { height: 5, tip: hash, tip_time: '2026-11-20T12:00:00.000Z', tip_age_seconds: 5 },
  node: { available: status !== 'node_unavailable', height: 12, headers: 12, since: null, error: null },
  version: '0.1.0',
});

test.each([
  ['lagging', 3, 'This service is catching up, 3 blocks behind.'],
  ['syncing', 500, 'This service is still reading the chain, 500 blocks behind.'],
  ['node_unavailable', null, 'The coin node does not answer this service.'],
  ['index_failed', 7, 'This service cannot follow the chain at the moment'],
])('a service that is %s says so on every page, and axe finds no fault', async (status, lag, says) => {
  answer('/api/v1/health', 200, healthOf(status, lag));
  const visitor = await visit('/blocks');
  const { page } = visitor;
  expect(await page.locator('.alarm').innerText()).toContain(says);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, service.origin);
});

const firstSync = {
  since: '2026-11-20T12:00:00.000Z',
  target_height: 12_000,
  transactions: 1_265_000,
  target_transactions: 30_000_000,
  target_estimated: false,
  transactions_per_second: 60_000,
  seconds_left: 480,
};

test.each([
  ['all is known', {}, ': 4.2 % of 30,000,000 transactions, 8 min left at the present pace.'],
  ['the node does not count', { target_estimated: true }, ': about 4.2 % of 30,000,000'],
  ['there is no pace yet', { seconds_left: null }, '30,000,000 transactions. What'],
  [
    'nobody knows how much it is',
    { target_transactions: null, seconds_left: null },
    ', 9,000 blocks behind.',
  ],
])('a first sync is told in transactions when %s', async (_, known, says) => {
  answer('/api/v1/health', 200, healthOf('syncing', 9_000, { ...firstSync, ...known }));
  const visitor = await visit('/blocks');
  expect(await visitor.page.locator('.alarm').innerText()).toContain(says);
  await leavePage(visitor, service.origin);
});

test('a service that has caught up says nothing more', async () => {
  answer('/api/v1/health', 200, healthOf('lagging', 3));
  const visitor = await visit('/blocks');
  await visitor.page.locator('.alarm').waitFor();
  answer('/api/v1/health', 200, healthOf('ready', 0));
  await expect.poll(() => visitor.page.locator('.alarm').count(), follow).toBe(0);
  await leavePage(visitor, service.origin);
});

const problem = (status: number, code: string) => ({
  type: `urn:coinfront:error:${code}`,
  title: 'x',
  status,
  detail: 'What was wrong, in words.',
  code,
  instance: 'urn:coinfront:request:abc-1',
  request_id: 'abc-1',
});

test('what cannot be read now is said beside what can, with the way to ask for it', async () => {
  answer('/api/v1/fee', 503, problem(503, 'index_unavailable'));
  const visitor = await visit('/mempool');
  const { page } = visitor;
  // Without an answer to its question the page asks for nothing by itself.
  await page.route('**/api/v1/stats', () => {});
  await expect
    .poll(() => page.locator('.trouble').first().innerText(), follow)
    .toContain('What was wrong, in words.');
  expect(await page.locator('.trouble').first().innerText()).toContain('abc-1');
  expect(await findFaults(page)).toEqual([]);
  service.answer('/api/v1/fee', undefined);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect.poll(() => page.locator('.trouble').count(), follow).toBe(0);
  await leavePage(visitor, service.origin);
});

test('a lost connection is said, what was read stays, and it comes back by itself', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  const rows = await page.locator('tbody tr').count();
  await visitor.context.setOffline(true);
  await expect
    .poll(() => page.locator('.alarm').allInnerTexts(), follow)
    .toEqual([expect.stringContaining('No connection to the service since')]);
  expect(await page.locator('tbody tr').count()).toBe(rows);
  await visitor.context.setOffline(false);
  await expect.poll(() => page.locator('.alarm').count(), { timeout: 40_000 }).toBe(0);
  await leavePage(visitor, service.origin);
});

test('the chain of a new coin has nothing, and every page says so instead of staying empty', async () => {
  const asOf = { height: 0, hash };
  answer('/api/v1/tokens', 200, { as_of: asOf, items: [], next_cursor: null });
  answer('/api/v1/proof/recent', 200, { items: [], next_cursor: null });
  answer('/api/vns/v1/operations', 200, { as_of: asOf, items: [], next_cursor: null });
  answer('/api/v1/pool/blocks', 200, { as_of: asOf, items: [], next_cursor: null });
  for (const [path, says] of [
    ['/tokens', 'No tokens yet.'],
    ['/proofs', 'Nothing is anchored yet.'],
    ['/names', 'Nobody has registered a name yet.'],
    ['/pool', 'No block carries its tag yet.'],
  ] as const) {
    const visitor = await visit(path);
    expect(await visitor.page.locator('main').innerText()).toContain(says);
    await leavePage(visitor, service.origin);
  }
});

test('a part that a coin does not have is told as that', async () => {
  for (const [path, read, code, says] of [
    ['/pool', '/api/v1/pool', 'pool_not_configured', 'This coin has no public pool.'],
    ['/treasury', '/api/treasury/status', 'treasury_not_configured', 'This coin has no treasury here.'],
    ['/nodes', '/api/nodeproof/status', 'route_not_found', 'This service keeps no registry of nodes.'],
  ] as const) {
    answer(read, 404, problem(404, code));
    const visitor = await visit(path);
    expect(await visitor.page.locator('main').innerText()).toContain(says);
    await leavePage(visitor, service.origin);
  }
});
