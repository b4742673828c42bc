import { startBrowser, type TestBrowser } from '../test/harness/browser.ts';
import { startShow } from './explorer-show.ts';

// `npm run page-speed`: what each page costs a visitor who has nothing of it yet, on a processor four times slower, and how far what is
// shown moves while it loads, on a telephone (cumulative layout shift; below 0.1 is good).

const SLOWDOWN = 4;
/** Blocking is what a task takes beyond this (the definition of total blocking time). */
const BLOCKING_FROM_MS = 50;
const RUNS = 3;

type Cost = { paintMs: number; blockingMs: number; requests: number; bytes: number; shift: number };

const [show, browser] = await Promise.all([startShow(), startBrowser()]);
try {
  console.log(`processor slowed ${SLOWDOWN} times, nothing cached, median of ${RUNS}\n`);
  console.log(`${'page'.padEnd(18)}first paint   blocking   requests      bytes      shift`);
  for (const [name, path] of show.pages) {
    const runs: Cost[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measure(browser, show.origin + path));
    const paint = `${median(runs, 'paintMs').toFixed(0)} ms`;
    const blocking = `${median(runs, 'blockingMs').toFixed(0)} ms`;
    const bytes = `${(median(runs, 'bytes') / 1_000).toFixed(1)} kB`;
    console.log(
      `${name.padEnd(18)}${paint.padStart(11)}${blocking.padStart(11)}${String(median(runs, 'requests')).padStart(11)}${bytes.padStart(11)}${median(runs, 'shift').toFixed(3).padStart(11)}`,
    );
  }
} finally {
  await Promise.all([show.stop(), browser.stop()]);
}

async function measure(from: TestBrowser, url: string): Promise<Cost> {
  const { page, context, requests } = await from.openVisitor({ viewport: { width: 390, height: 844 } });
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    const size = request
      .sizes()
      .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize);
    // The page goes on asking; what has not come when it is closed does not count.
    sizes.push(size.catch(() => 0));
  });
  await page.addInitScript(`
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((task) => task.duration)))
      .observe({ type: 'longtask', buffered: true });
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  await page.goto(url, { waitUntil: 'networkidle' });
  const paintMs = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
  );
  const shift = await page.evaluate<number>('window.shift');
  const tasks = await page.evaluate<number[]>('window.longTasks');
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return {
    paintMs,
    blockingMs: tasks.reduce((sum, task) => sum + Math.max(0, task - BLOCKING_FROM_MS), 0),
    requests: requests.length,
    bytes,
    shift,
  };
}

function median(runs: readonly Cost[], key: keyof Cost): number {
  const sorted = runs.map((run) => run[key]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
