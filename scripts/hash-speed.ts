import { readFileSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlainStream, createSha256Stream } from '@coinfront/protocol/sha256-stream.ts';
import { startExampleService } from '../test/browser/example-service.ts';
import { startBrowser, type Visitor } from '../test/harness/browser.ts';

// `npm run hash-speed`: how fast the page of proofs hashes a file of 1 GB in a real browser, reading included, and the hash by itself.

const FILE_BYTES = 2 ** 30;
const PIECE_BYTES = 2 ** 20;
const PIECES = 400;
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

for (const [name, create] of [
  ['hash alone, WebAssembly', createSha256Stream],
  ['hash alone, plain', createPlainStream],
] as const)
  console.log(`${name}: ${measureAlone(create)} MB per CPU second`);
console.log(await measurePage());

function measureAlone(create: typeof createSha256Stream): number {
  const piece = Uint8Array.from({ length: PIECE_BYTES }, (_, i) => i * 7);
  const run = (pieces: number): void => {
    const stream = create();
    for (let i = 0; i < pieces; i += 1) stream.update(piece);
    stream.digest();
  };
  run(PIECES / 4);
  const before = process.cpuUsage();
  run(PIECES);
  const { user, system } = process.cpuUsage(before);
  return Math.round((PIECES * PIECE_BYTES) / (user + system));
}

async function measurePage(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'coinfront-hash-'));
  const [service, browser] = await Promise.all([startExampleService(), startBrowser()]);
  try {
    const file = join(dir, 'large');
    await writeFile(file, 'not empty');
    await truncate(file, FILE_BYTES);
    const visitor = await browser.openVisitor();
    const { page } = visitor;
    await page.goto(`${service.origin}/proofs`, { waitUntil: 'networkidle' });
    const renderers = await listRenderers(visitor);
    const before = readCpuSeconds(renderers);
    const startedAtMs = performance.now();
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.locator('progress[data-fast]').waitFor();
    const isFast = (await page.locator('progress').getAttribute('data-fast')) === 'true';
    await page.waitForURL('**/proof/*', { timeout: 120_000 });
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const cpuSeconds = readCpuSeconds(renderers) - before;
    const perCpuSecond = Math.round(FILE_BYTES / 1e6 / cpuSeconds);
    return `the page, ${isFast ? 'WebAssembly' : 'plain'}: ${perCpuSecond} MB per CPU second of its process, 1 GB in ${seconds.toFixed(1)} s`;
  } finally {
    await Promise.all([service.stop(), browser.stop()]);
    await rm(dir, { recursive: true, force: true });
  }
}

async function listRenderers({ context }: Visitor): Promise<number[]> {
  const session = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: { type: string; id: number }[];
  };
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** Time of these processes, in user and kernel mode (proc(5): fields 14 and 15). */
function readCpuSeconds(ids: readonly number[]): number {
  const ticks = ids.map((id) => {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}
