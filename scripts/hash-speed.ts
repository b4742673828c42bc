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
/** Processor time depends on what else runs beside it: one figure says little. */
const RUNS = 5;
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

for (const [name, create] of [
  ['hash alone, WebAssembly', createSha256Stream],
  ['hash alone, plain', createPlainStream],
] as const)
  console.log(`${name}: ${repeat(() => measureAlone(create))} MB per CPU second`);
await measurePage();

function repeat(measure: () => number): string {
  return Array.from({ length: RUNS }, measure)
    .sort((a, b) => a - b)
    .join(', ');
}

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

async function measurePage(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'coinfront-hash-'));
  const [service, browser] = await Promise.all([startExampleService(), startBrowser()]);
  try {
    const file = join(dir, 'large');
    await writeFile(file, 'not empty');
    await truncate(file, FILE_BYTES);
    console.log('the page, reading included, MB per CPU second:');
    for (let run = 0; run < RUNS; run += 1) {
      const visitor = await browser.openVisitor();
      console.log(await measureVisit(visitor, service.origin, file));
      await visitor.context.close();
    }
  } finally {
    await Promise.all([service.stop(), browser.stop()]);
    await rm(dir, { recursive: true, force: true });
  }
}

async function measureVisit(visitor: Visitor, origin: string, file: string): Promise<string> {
  const { page } = visitor;
  await page.goto(`${origin}/proofs`, { waitUntil: 'networkidle' });
  const processes = await listProcesses(visitor);
  const before = processes.map(readCpuSeconds);
  const startedAtMs = performance.now();
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.locator('progress[data-fast]').waitFor();
  const isFast = (await page.locator('progress').getAttribute('data-fast')) === 'true';
  await page.waitForURL('**/proof/*', { timeout: 120_000 });
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const used = processes.map((each, i) => ({ ...each, seconds: readCpuSeconds(each) - before[i]! }));
  const perCpuSecond = (some: typeof used): number =>
    Math.round(FILE_BYTES / 1e6 / some.reduce((sum, each) => sum + each.seconds, 0));
  return [
    `  ${isFast ? 'WebAssembly' : 'plain'}: ${perCpuSecond(used.filter(({ type }) => type === 'renderer'))} in the page's process`,
    `${perCpuSecond(used)} in all processes of the browser, 1 GB in ${seconds.toFixed(1)} s`,
  ].join(', ');
}

type BrowserProcess = { type: string; id: number };

async function listProcesses({ context }: Visitor): Promise<BrowserProcess[]> {
  const session = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: BrowserProcess[];
  };
  await session.detach();
  return processInfo;
}

/** Time of a process, in user and kernel mode (proc(5): fields 14 and 15). */
function readCpuSeconds({ id }: BrowserProcess): number {
  const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
