import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { startExplorerFixture } from '../test/browser/explorer-fixture.ts';
import { startBrowser } from '../test/harness/browser.ts';
import { createTraffic } from './traffic/traffic.ts';

// `npm run page-memory -- --minutes 60`: what pages hold that stay open while the chain grows, and what one holds that is walked through all
// the while. Counted after a garbage collection: what scripts of the page made; code that the engine has compiled, which grows while
// functions are made faster; and elements. What the browser keeps to measure is in neither.

const BLOCK_EVERY_MS = 10_000;
const TRANSACTIONS_PER_BLOCK = 5;
const LOOKS = 12;
const WIDTH = 20;
const VIEWPORT = { width: 1_280, height: 800 };
const WALK = ['/blocks', '/mempool', '/charts', '/tokens', '/names', '/nodes', '/treasury', '/'];

type Open = {
  name: string;
  page: Page;
  session: CDPSession;
  held: { mb: number; codeMb: number; elements: number }[];
};

/** What an engine makes for itself, and what the browser and its tools do; all else is of the page's scripts. */
const NOT_OF_SCRIPTS = ['code', 'native', 'synthetic', 'hidden'];

type Snapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
};

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
if (!Number.isInteger(minutes) || minutes < 1 || minutes > 600)
  throw new Error(`--minutes is ${values.minutes}: give whole minutes from 1 to 600.`);

const [fixture, browser] = await Promise.all([startExplorerFixture(), startBrowser()]);
try {
  const traffic = await createTraffic(fixture.node.client, { seed: 11 });
  await traffic.prepare();
  const { address } = fixture.known;
  const opened: Open[] = [];
  for (const path of ['/', '/blocks', '/mempool', '/mempool/1', '/charts', `/address/${address}`])
    opened.push(await open(path.startsWith('/address') ? '/address' : path, path));
  const walker = await open('walked through', '/');
  opened.push(walker);

  console.log(
    `a block every ${BLOCK_EVERY_MS / 1_000} s; MB of scripts + of their code, elements of the page\n`,
  );
  console.log(`minute${opened.map(({ name }) => name.padStart(WIDTH)).join('')}`);
  const started = Date.now();
  let steps = 0;
  for (let look = 0; look <= LOOKS; look += 1) {
    const until = started + (look / LOOKS) * minutes * 60_000;
    while (Date.now() < until) {
      const next = Date.now() + BLOCK_EVERY_MS;
      await traffic.sendSome(TRANSACTIONS_PER_BLOCK);
      await traffic.mineBlock();
      await walker.page
        .locator(`header a[href="${WALK[steps++ % WALK.length]}"]`)
        .first()
        .click();
      await delay(Math.max(0, next - Date.now()));
    }
    for (const each of opened) each.held.push(await readHeld(each));
    const figures = opened.map(
      ({ held }) =>
        `${held.at(-1)!.mb.toFixed(2)} + ${held.at(-1)!.codeMb.toFixed(2)} / ${held.at(-1)!.elements}`,
    );
    console.log(
      `${((Date.now() - started) / 60_000).toFixed(0).padStart(6)}${figures.map((each) => each.padStart(WIDTH)).join('')}`,
    );
  }
  const growth = opened.map(({ held }) => describeGrowth(held.map(({ mb }) => mb)).padStart(WIDTH));
  console.log(`\ngrowth${growth.join('')}   last third of the looks over the third before`);
} finally {
  await Promise.all([browser.stop(), fixture.stop()]);
}

async function open(name: string, path: string): Promise<Open> {
  const { page, context } = await browser.openVisitor({ viewport: VIEWPORT });
  await page.goto(fixture.service.origin + path, { waitUntil: 'networkidle' });
  return { name, page, session: await context.newCDPSession(page), held: [] };
}

async function readHeld({ session }: Open): Promise<Open['held'][number]> {
  await session.send('HeapProfiler.collectGarbage');
  const { snapshot, nodes } = await takeSnapshot(session);
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [typeAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const bytes = { scripts: 0, code: 0 };
  for (let at = 0; at < nodes.length; at += fields.length) {
    const type = types[0][nodes[at + typeAt]!]!;
    const size = nodes[at + sizeAt]!;
    if (type === 'code') bytes.code += size;
    else if (!NOT_OF_SCRIPTS.includes(type)) bytes.scripts += size;
  }
  const { nodes: elements } = await session.send('Memory.getDOMCounters');
  return { mb: bytes.scripts / 1e6, codeMb: bytes.code / 1e6, elements };
}

async function takeSnapshot(session: CDPSession): Promise<Snapshot> {
  let text = '';
  const take = ({ chunk }: { chunk: string }) => {
    text += chunk;
  };
  session.on('HeapProfiler.addHeapSnapshotChunk', take);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', take);
  return JSON.parse(text) as Snapshot;
}

function describeGrowth(values: readonly number[]): string {
  const third = Math.floor(values.length / 3);
  const mean = (some: readonly number[]) => some.reduce((sum, each) => sum + each, 0) / some.length;
  const ratio = mean(values.slice(-third)) / mean(values.slice(-2 * third, -third));
  return `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;
}
