import { expect } from 'vitest';
import type { TestBrowser, Visitor } from '../harness/browser.ts';

/** Pages ask every five seconds. */
export const follow = { timeout: 20_000 };

/** Opens a page of the explorer in a browser of its own, and waits until it shows what it was asked for. */
export async function visitPage(
  browser: TestBrowser,
  url: string,
  options: Parameters<TestBrowser['openVisitor']>[0] = {},
): Promise<Visitor> {
  const visitor = await browser.openVisitor(options);
  await visitor.page.goto(url);
  await settle(visitor);
  return visitor;
}

/** Until nothing says that it is being read. */
export async function settle({ page }: Visitor): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await expect.poll(() => page.locator('.loading, main.first').count(), follow).toBe(0);
}
