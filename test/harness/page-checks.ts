import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Visitor } from './browser.ts';
import { waitUntil } from './litecoind.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page as it is now, by the rules of WCAG 2.2 as well, which it leaves out by itself. */
export async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  // What slides in is half transparent for a moment.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ effect, finished }) => effect.getComputedTiming().endTime === Infinity || finished))',
  );
  return await page.evaluate(
    `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ')))`,
  );
}

/** Whether the page is wider than its window. */
export async function isTooWide(page: Page): Promise<boolean> {
  return await page.evaluate('document.documentElement.scrollWidth > innerWidth');
}

/** Writes into the page what a text that was not escaped would have: the policy has to refuse the script and the image. */
export async function expectPolicyHolds({ page, errors }: Visitor): Promise<void> {
  await page.evaluate(`
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    const image = new Image();
    image.src = 'https://example.com/x.png';
    document.body.append(image);
  `);
  expect(await page.evaluate('window.ran')).toBe(undefined);
  const refused = () => errors.filter((text) => text.includes('Content Security Policy'));
  await waitUntil('both are refused', () => refused().length >= 2);
  expect(refused().join(' ')).toMatch(/script-src.*img-src|img-src.*script-src/s);
}

/** Ends a visit; whatever went wrong in the page, or was asked of another origin, fails the test. */
export async function leavePage({ context, requests, errors }: Visitor, origin: string): Promise<void> {
  await context.close();
  expect(errors).toEqual([]);
  expect(
    requests.filter(
      (url) => !url.startsWith(`${origin}/`) && !url.startsWith(`blob:${origin}/`) && url !== 'data:,',
    ),
  ).toEqual([]);
}
