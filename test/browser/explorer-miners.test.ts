import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { subsidyAt } from '@coinfront/protocol/subsidy.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MiningHistoryTables } from '../../service/src/parts/mining/history/mining-tables.ts';
import { rateSteps } from '../../service/src/parts/mining/history/rate-rules.ts';
import { keepRates } from '../../service/src/parts/mining/history/rate-store.ts';
import { keepEfforts } from '../../service/src/parts/mining/luck/effort-store.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { mineByHand } from '../harness/mine-by-hand.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { addressOfOwner, scriptOf } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';

const pool = getShippedProfile('regtest').pool!;
/** Heights that a coinbase made by hand can have begin here. */
const FIRST_BLOCKS = 150;
const [MINER, OTHER] = [1, 2] as const;
const HOUR = 3_600;
const miner = addressOfOwner(MINER);
const OUTSIDER = 'DOutsiderOfAnotherChain12345678901';
const shorten = (address: string) => `${address.slice(0, 8)}…${address.slice(-6)}`;

let browser: TestBrowser;
let node: TestNode;
let service: TestService;
let miningcore: Server | undefined;
let folder = '';
let dataDir = '';

beforeAll(async () => {
  [browser, node] = await Promise.all([startBrowser(), startNode()]);
  await node.mine(FIRST_BLOCKS);
  const hashes: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const height = FIRST_BLOCKS + i + 1;
    const value = subsidyAt(height, getShippedProfile('regtest'))!;
    const outputs = [
      { value: value - value / 100n, script: scriptOf(MINER) },
      { value: value / 100n, script: pool.payoutScripts[0]! },
    ];
    hashes.push(await mineByHand(node, outputs, [], pool.tag));
  }
  folder = await mkdtemp(join(tmpdir(), 'coinfront-ckpool-'));
  await writeCkpool();
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-explorer-'));
  const database = { kind: 'sqlite', dataDir } as const;
  service = await startService({
    nodeUrl: node.url,
    database,
    settings: {
      COINFRONT_POOL_SOURCE: `ckpool:${folder}`,
      COINFRONT_POOL_OTHERS: `merged=miningcore:${await openMiningcore(hashes[1]!)}#one`,
    },
  });
  await service.waitForTip(hashes.at(-1)!);
  const precious = await openBeside(database);
  const now = Math.floor(Date.now() / 1_000);
  for (const who of ['pool', 'miner'] as const)
    for (const ago of [5 * HOUR, 4.9 * HOUR, 4.8 * HOUR, 2 * HOUR, 1.9 * HOUR])
      await keepRates(
        precious,
        '',
        rateSteps[who],
        Math.floor(now - ago),
        new Map([[who === 'pool' ? '' : miner, BigInt(Math.round(ago)) * 1_000n]]),
      );
  const height = FIRST_BLOCKS + 1;
  await keepEfforts(precious.query<MiningHistoryTables>(), [
    { hash: hashes[0]!, height, effort: 0.5, kind: 'reported' },
    { hash: hashes[2]!, height: height + 2, effort: 2, kind: 'observed' },
  ]);
  await precious.close();
  await waitUntil('the pools were read', async () => {
    const { json } = await service.get('/api/v1/pool');
    return json.miners !== null && json.others[0].miners !== null;
  });
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
  miningcore?.close();
  miningcore?.closeAllConnections();
  await node?.stop();
  await rm(folder, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

/** A pool that mines another chain as well: of its blocks one is in ours. */
async function openMiningcore(ours: string): Promise<string> {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/pools/one': { pool: { poolStats: { connectedMiners: 4, poolHashrate: 9_000 } } },
    '/api/pools/one/miners': [],
    '/api/pools/one/blocks': [
      { blockHeight: 5_000, hash: 'cd'.repeat(32), status: 'orphaned', effort: 1.5, miner: OUTSIDER },
      { blockHeight: FIRST_BLOCKS + 2, hash: ours, status: 'confirmed', reward: 6.25 },
    ],
    '/api/pools/one/payments': [{ address: OUTSIDER, amount: 1.75, created: '2026-03-01T11:00:00Z' }],
  };
  miningcore = createServer((request, response) => {
    response.end(JSON.stringify(answers[new URL(request.url ?? '', 'http://x').pathname] ?? {}));
  }).listen(0, '127.0.0.1');
  await once(miningcore, 'listening');
  return `http://127.0.0.1:${(miningcore.address() as AddressInfo).port}`;
}

async function writeCkpool(): Promise<void> {
  for (const part of ['pool', 'users']) await mkdir(join(folder, part), { recursive: true });
  const lastupdate = Math.floor(Date.now() / 1_000);
  const lines = [
    { lastupdate, Users: 2, Workers: 3 },
    { hashrate5m: '3K' },
    { accepted: 25_300, rejected: 120, bestshare: 7 },
  ];
  await writeFile(join(folder, 'pool', 'pool.status'), lines.map((line) => JSON.stringify(line)).join('\n'));
  for (const owner of [MINER, OTHER]) {
    const name = addressOfOwner(owner);
    const figures = { hashrate5m: `${owner}.5K`, bestshare: 7, lastshare: lastupdate };
    const worker = [{ workername: `${name}.<b>attic`, ...figures }];
    await writeFile(
      join(folder, 'users', name),
      JSON.stringify({ ...figures, workers: 1, shares: 5_000, worker }),
    );
  }
}

test('the pool page shows hashrates over time with their gaps, luck, and who finds the blocks', async () => {
  const visitor = await visitPage(browser, `${service.origin}/pool`, {
    viewport: { width: 1280, height: 900 },
  });
  const { page } = visitor;
  const chart = page.getByRole('img', { name: /^Hashrate of the pool over time, 1 day, from / });
  await chart.locator('canvas').waitFor();
  await page
    .getByRole('img', { name: /^Luck over ten blocks, from / })
    .locator('canvas')
    .waitFor();
  const main = page.locator('main');
  expect(await main.innerText()).toContain(
    `Block ${FIRST_BLOCKS + 3}: effort 2.00, luck over ten blocks 80.00 %`,
  );
  const history = page.locator('section', {
    has: page.getByRole('heading', { name: /^Hashrate of the pool over time/ }),
  });
  await history.getByText('Data as a table').click();
  const cells = await history.locator('tbody td.number').allInnerTexts();
  // Between what was observed two and five hours ago nothing is drawn, and nothing is said to have been.
  expect(cells.filter((text) => text === 'unknown').length).toBeGreaterThan(20);
  expect(cells.filter((text) => text !== 'unknown').length).toBeGreaterThanOrEqual(4);
  const finders = page.locator('section', {
    has: page.getByRole('heading', { name: /^Who finds the blocks/ }),
  });
  await finders.getByText(pool.tag).first().waitFor();
  expect(await finders.innerText()).toContain('this pool');
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, service.origin);
});

test('a further pool is shown apart, with the blocks and payments that it reports when they are asked for', async () => {
  const visitor = await visitPage(browser, `${service.origin}/pool`);
  const { page } = visitor;
  const others = page.locator('section', {
    has: page.getByRole('heading', { name: /^Other pools of the operator/ }),
  });
  await expect
    .poll(() => others.innerText(), follow)
    .toMatch(/merged 9.00 kH\/s, 4 miners, as miningcore says/);
  await others.getByText('Blocks and payments that it reports').click();
  const rows = others.locator('tbody tr');
  await expect.poll(() => rows.allInnerTexts(), follow).toHaveLength(3);
  const [foreign, own, payment] = await rows.allInnerTexts();
  expect(foreign).toMatch(/5,000.*unknown.*orphaned.*1\.50.*DOuts/s);
  expect(own).toMatch(/confirmed.*6\.25/s);
  expect(payment).toMatch(/DOuts.*1\.75/s);
  // Only a block of this chain has a page here.
  expect(await rows.nth(0).getByRole('link').count()).toBe(0);
  expect(await rows.nth(1).getByRole('link').getAttribute('href')).toContain(`/block/${FIRST_BLOCKS + 2}`);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, service.origin);
});

test('hashrates are to be had as CSV and as a picture, and a range is in the address of the page', async () => {
  const visitor = await visitPage(browser, `${service.origin}/pool`);
  const { page } = visitor;
  const history = page.locator('section', {
    has: page.getByRole('heading', { name: /^Hashrate of the pool over time/ }),
  });
  await history.locator('canvas').waitFor();
  const { points } = (await service.get('/api/v1/pool/series?range=1d')).json;
  for (const [name, ending] of [
    ['CSV', /hashrate-1d\.csv$/],
    ['PNG', /hashrate-1d\.png$/],
  ] as const) {
    const download = page.waitForEvent('download');
    await history.getByRole('button', { name }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(ending);
    const bytes = await readFile(await file.path());
    if (name === 'CSV')
      expect(bytes.toString('utf8')).toContain(`${points[0].time},${points[0].hashes_per_second}\r\n`);
    else expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  }
  await history.getByRole('link', { name: '1 week' }).click();
  await page.waitForURL('**/pool?range=1w');
  await settle(visitor);
  await page.getByRole('img', { name: /^Hashrate of the pool over time, 1 week, / }).waitFor();
  expect(await history.getByRole('link', { name: '1 week' }).getAttribute('aria-current')).toBe('page');
  await leavePage(visitor, service.origin);
});

test('a miner types an address on the pool page and sees machines, hashrates, shares and payouts', async () => {
  const visitor = await visitPage(browser, `${service.origin}/pool`, {
    viewport: { width: 1280, height: 900 },
  });
  const { page } = visitor;
  await expect
    .poll(() => page.locator('main').innerText(), follow)
    .toMatch(/Accepted shares\s+25\.3 k\s+.*; 120 rejected/);
  await page.getByLabel('Your mining address').fill(` ${miner} `);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/pool/miner/${miner}`);
  await settle(visitor);
  const main = page.locator('main');
  expect(await page.title()).toMatch(/^Miner .*…/);
  await page
    .getByRole('img', { name: /^Hashrate of the miner, 1 day, from / })
    .locator('canvas')
    .waitFor();
  // What the chain paid comes with an answer of its own.
  await page.getByRole('heading', { name: /^Mining payouts/ }).waitFor();
  const text = await main.innerText();
  for (const shown of ['1.50 kH/s', '<b>attic', '5,000', 'A solo pool keeps no balances'])
    expect(text).toContain(shown);
  // ckpool counts no rejects by miner.
  expect(text).toMatch(/Rejected\s+unknown/);
  expect(await findFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  expect(await findFaults(page)).toEqual([]);
  // The address of the page is all that is needed to come back.
  await page.reload();
  await settle(visitor);
  expect(await main.innerText()).toContain('1.50 kH/s');
  await leavePage(visitor, service.origin);
});

test('a miner of the list has a page by its shortened address, which names no machines', async () => {
  const visitor = await visitPage(browser, `${service.origin}/pool`);
  const { page } = visitor;
  await page.getByRole('link', { name: shorten(addressOfOwner(OTHER)) }).click();
  await page.waitForURL('**/pool/miner/**');
  await settle(visitor);
  expect(await page.locator('h1').innerText()).toBe(shorten(addressOfOwner(OTHER)));
  const text = await page.locator('main').innerText();
  expect(text).toContain('2.50 kH/s');
  expect(text).toContain('Only who gives the whole address is told.');
  expect(text).not.toContain('attic');
  await leavePage(visitor, service.origin);
});

test('an address that several miners begin with is said to be so, and one that nobody has is not found', async () => {
  const common = miner.slice(0, 6);
  const visitor = await visitPage(browser, `${service.origin}/pool/miner/${common}`);
  const { page } = visitor;
  expect(await page.locator('.trouble').innerText()).toContain('2 miners of this pool begin with');
  await page.getByLabel('Your mining address').fill('nobody-at-all');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pool/miner/nobody-at-all');
  await settle(visitor);
  expect(await page.locator('h1').innerText()).toBe('Miner not found');
  expect((await service.get('/pool/miner/nobody-at-all', { accept: 'text/html' })).status).toBe(404);
  // What it was asked for is answered by errors, which is what browsers log.
  await visitor.context.close();
});

test('a miner reads German where the browser does', async () => {
  const visitor = await visitPage(browser, `${service.origin}/pool/miner/${miner}`, { locale: 'de-DE' });
  const { page } = visitor;
  const text = await page.locator('main').innerText();
  for (const shown of [
    'Hashrate des Miners',
    'Maschinen',
    'Bester Share',
    'Ein Solo-Pool führt keine Guthaben',
    'unbekannt',
  ])
    expect(text).toContain(shown);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, service.origin);
});
