import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { startBrowser, type TestBrowser } from '../test/harness/browser.ts';
import { startShow } from './explorer-show.ts';

// `npm run screenshots`: every page, on a screen and on a telephone, into docs/screenshots. Small files: few colours.

const OUT_DIR = new URL('../docs/screenshots/', import.meta.url).pathname;
const COLOURS = 64;
const MOST_HEIGHT = 1_400;

/** Sizes in CSS pixels; the dark ones are for the first page only. */
const views = [
  { suffix: '', width: 1_280, height: 800, colorScheme: 'light', only: undefined },
  { suffix: '-phone', width: 390, height: 844, colorScheme: 'light', only: undefined },
  { suffix: '-dark', width: 1_280, height: 800, colorScheme: 'dark', only: 'home' },
  { suffix: '-phone-dark', width: 390, height: 844, colorScheme: 'dark', only: 'home' },
] as const;

const [show, browser] = await Promise.all([startShow(), startBrowser()]);
try {
  await mkdir(OUT_DIR, { recursive: true });
  let bytes = 0;
  for (const [name, path] of show.pages) {
    for (const view of views) {
      if (view.only !== undefined && view.only !== name) continue;
      const file = join(OUT_DIR, `${name}${view.suffix}.png`);
      await shoot(browser, show.origin + path, view, file);
      bytes += (await stat(file)).size;
    }
    console.log(name);
  }
  console.log(`${OUT_DIR}: ${(bytes / 1e6).toFixed(1)} MB`);
} finally {
  await Promise.all([show.stop(), browser.stop()]);
}

async function shoot(
  from: TestBrowser,
  url: string,
  { width, height, colorScheme }: (typeof views)[number],
  file: string,
): Promise<void> {
  const { page, context } = await from.openVisitor({ viewport: { width, height }, colorScheme });
  await page.goto(url, { waitUntil: 'networkidle' });
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
  const picture = await page.screenshot({
    fullPage: true,
    animations: 'disabled',
    clip: { x: 0, y: 0, width, height: Math.min(whole, MOST_HEIGHT) },
  });
  await sharp(picture).png({ palette: true, colours: COLOURS, effort: 10 }).toFile(file);
  await context.close();
}
