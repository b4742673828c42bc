import { expect } from 'vitest';
import type { TestService } from '../harness/service.ts';

// The shapes are what the tests are about.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = any;

/** A page as lists answer it. */
export type Page = { items: Json[]; next_cursor: string | null };

const AT_ONCE = 16;
const MAX_PAGES = 2_000;

/** Gets a path and expects 200. */
export async function getJson(service: TestService, path: string): Promise<Json> {
  const answer = await service.get(path);
  expect([path, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([path, 200, '']);
  return answer.json;
}

/** Follows `next_cursor` from the first page to the last; gives the items page by page. `more` of the query begins with `&`. */
export async function listPages(
  service: TestService,
  path: string,
  limit: number,
  pageOf: (answer: Json) => Page = (answer) => answer,
  more = '',
): Promise<Json[][]> {
  const pages: Json[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = pageOf(await getJson(service, `${path}?limit=${limit}${more}${query}`));
    pages.push(page.items);
    cursor = page.next_cursor;
    if (pages.length > MAX_PAGES) throw new Error(`${path} has no last page.`);
  }
  return pages;
}

/** Runs a check for each item, some at a time. */
export async function eachAtOnce<T>(items: Iterable<T>, check: (item: T) => Promise<void>): Promise<void> {
  const left = [...items].values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await check(item);
    }),
  );
}
