import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser, type Visitor } from '../harness/browser.ts';
import { leavePage } from '../harness/page-checks.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';

const follow = { timeout: 20_000 };
const GIGABYTE = 2 ** 30;
const MEGABYTE = 2 ** 20;

let browser: TestBrowser;
let fixture: ExplorerFixture;
let origin: string;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coinfront-files-'));
  [browser, fixture] = await Promise.all([startBrowser(), startExplorerFixture()]);
  origin = fixture.service.origin;
});
afterAll(async () => {
  await Promise.all([browser?.stop(), fixture?.stop()]);
  await rm(dir, { recursive: true, force: true });
});

async function chooseFile({ page }: Visitor, name: string, file: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name }).click();
  await (await chooser).setFiles(file);
}

/** Linux' account of a process; nothing of one that has gone. */
function readStatus(id: number): string {
  try {
    return readFileSync(`/proc/${id}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** Most memory that any process with these pages has had at once, in bytes. */
async function readPeakMemory({ context, page }: Visitor): Promise<number> {
  const session = await context.newCDPSession(page);
  const { processInfo } = (await (
    await context.browser()!.newBrowserCDPSession()
  ).send('SystemInfo.getProcessInfo')) as {
    processInfo: { type: string; id: number }[];
  };
  await session.detach();
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => /VmHWM:\s+(\d+) kB/.exec(readStatus(id))?.[1]);
  const peak = Math.max(...peaks.map((kilobytes) => Number(kilobytes ?? 0) * 1024));
  if (!(peak > 0)) throw new Error('The system tells no memory of the browser.');
  return peak;
}

test('a file of 1 GB is hashed and looked up with little memory, and nothing of it is sent', async () => {
  const file = join(dir, 'secret plans.bin');
  await writeFile(file, 'the beginning of it');
  await truncate(file, GIGABYTE);
  const hash = createHash('sha256');
  for await (const piece of (await open(file)).createReadStream({ highWaterMark: 4 * MEGABYTE }))
    hash.update(piece);
  const digest = hash.digest('hex');

  const visitor = await browser.openVisitor();
  const { page } = visitor;
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page.goto(`${origin}/proofs`);
  await chooseFile(visitor, 'Choose a file', file);
  await page.locator('progress').waitFor();
  await expect.poll(() => page.locator('progress').getAttribute('value'), follow).not.toBe('0');
  expect(await page.locator('progress').getAttribute('data-fast')).toBe('true');
  await page.getByText(/B a second, .* left/).waitFor();
  await page.waitForURL(`**/proof/${digest}`, { timeout: 90_000 });
  await page.getByText('not anchored').waitFor();
  expect(await page.locator('main').innerText()).toContain('secret plans.bin');
  expect(await readPeakMemory(visitor)).toBeLessThan(300 * MEGABYTE);
  expect(sent.filter((text) => /secret|plans|beginning/.test(text))).toEqual([]);
  await leavePage(visitor, origin);
});

test('where a policy refuses WebAssembly a file is hashed all the same', async () => {
  const bytes = Buffer.alloc(40 * MEGABYTE, 'refused');
  const file = join(dir, 'refused');
  await writeFile(file, bytes);
  const visitor = await browser.openVisitor();
  const { page } = visitor;
  const policies: (string | undefined)[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/assets/')) policies.push(response.headers()['content-security-policy']);
  });
  await page.route('**/assets/hash-worker-*', async (route) => {
    const response = await route.fetch();
    expect(response.headers()['content-security-policy']).toContain("script-src 'wasm-unsafe-eval'");
    const headers = { ...response.headers(), 'content-security-policy': "default-src 'none'" };
    await route.fulfill({ response, headers });
  });
  await page.goto(`${origin}/proofs`);
  const refused = page.locator('progress[data-fast=false]').waitFor();
  await chooseFile(visitor, 'Choose a file', file);
  await refused;
  await page.waitForURL(`**/proof/${createHash('sha256').update(bytes).digest('hex')}`, { timeout: 90_000 });
  // No page allows it.
  expect(policies.filter((policy) => policy?.includes('wasm'))).toEqual([]);
  expect(policies.filter((policy) => policy?.includes("script-src 'self'")).length).toBeGreaterThan(0);
  await visitor.context.close();
});

test('a file that is dropped is hashed and looked up', async () => {
  const visitor = await browser.openVisitor();
  const { page } = visitor;
  await page.goto(`${origin}/proofs`);
  const zone = page.getByRole('group').filter({ hasText: 'or drop it here' });
  const dataTransfer = await page.evaluateHandle(`(() => {
    const carried = new DataTransfer();
    carried.items.add(new File(['dropped'], 'dropped.txt'));
    return carried;
  })()`);
  await zone.dispatchEvent('dragover', { dataTransfer });
  await page.locator('.drop.over').waitFor();
  await zone.dispatchEvent('drop', { dataTransfer });
  await page.waitForURL(`**/proof/${createHash('sha256').update('dropped').digest('hex')}`);
  await page.getByText('not anchored').waitFor();
  await leavePage(visitor, origin);
});

test('a service that sends no anchors gives the script for the own wallet', async () => {
  const digest = createHash('sha256').update('to be anchored').digest('hex');
  const visitor = await browser.openVisitor();
  const { page } = visitor;
  await page.goto(`${origin}/proof/${digest}`);
  await page.getByRole('button', { name: 'Anchor the digest' }).click();
  await page.getByText('This service does not send transactions of its own.').waitFor();
  expect(await page.locator('main').innerText()).toContain(`6a2456504631${digest}`);
  await leavePage(visitor, origin);
});

test('a proof is checked in the browser, compared with files, and checks itself offline at home', async () => {
  const { digest } = fixture.known;
  const same = join(dir, 'same');
  const other = join(dir, 'other');
  await writeFile(same, 'explorer fixture');
  await writeFile(other, 'another');

  const visitor = await browser.openVisitor({ acceptDownloads: true });
  const { page, context } = visitor;
  await page.goto(`${origin}/proof/${digest}`);
  await page.getByText('The proof holds').waitFor();
  expect(await page.locator('.checks li.bad').count()).toBe(0);
  await chooseFile(visitor, 'Choose the file', other);
  await page.getByText('This is another file').waitFor();
  await chooseFile(visitor, 'Choose the file', same);
  await page.getByText('This is the file').waitFor();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the proof' }).click();
  const saved = join(dir, (await download).suggestedFilename());
  await (await download).saveAs(saved);

  await context.setOffline(true);
  const home = await context.newPage();
  const asked: string[] = [];
  home.on('request', (request) => asked.push(request.url()));
  await home.goto(`file://${saved}`);
  await expect.poll(() => home.locator('#verdict').innerText(), follow).toBe('This proof holds.');
  await home.locator('#file').setInputFiles(same);
  await home.getByText('This is the file').waitFor();
  expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);

  const text = readFileSync(saved, 'utf8');
  const broken = join(dir, 'broken.html');
  await writeFile(
    broken,
    text.replace(/"position":(\d+)/, (_, position) => `"position":${Number(position) ^ 1}`),
  );
  await home.goto(`file://${broken}`);
  await expect.poll(() => home.locator('#verdict').innerText(), follow).toBe('This proof does not hold.');
  await context.close();
});
