import { clientError } from './error.ts';

/** A page of a list, as every list of the service has it. A feed always has a next cursor, and says whether there is more now. */
export type Page = { readonly next_cursor: string | null; readonly has_more?: boolean };

/** Pages that are read at most, unless given: a service could go on without end. */
const defaultMaxPages = 10_000;

/**
 * Reads a list page by page.
 *
 * A feed is read to its present end. `cursor_expired` ends it when the chain changed under a list that cannot go on; begin again then.
 *
 * @param readPage reads the page of a cursor; undefined is the first one
 * @throws CoinfrontError of the reads; `invalid_answer` when the cursors go round
 * @example
 * for await (const { items } of iteratePages((cursor) => listUtxos(client, { address, cursor }))) add(items);
 */
export async function* iteratePages<P extends Page>(
  readPage: (cursor: string | undefined) => Promise<P>,
  { maxPages = defaultMaxPages }: { maxPages?: number } = {},
): AsyncGenerator<P, void, undefined> {
  let cursor: string | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const page = await readPage(cursor);
    yield page;
    if (page.next_cursor === null || page.has_more === false) return;
    if (page.next_cursor === cursor) {
      throw clientError(
        'invalid_answer',
        'The list does not go on: its cursor leads to the same page again.',
      );
    }
    cursor = page.next_cursor;
  }
  throw clientError('invalid_answer', `The list has more than ${maxPages} pages.`);
}

/**
 * Reads a list item by item.
 *
 * @throws CoinfrontError as {@link iteratePages}
 * @example
 * for await (const utxo of iterateItems((cursor) => listUtxos(client, { address, cursor }))) coins.push(utxo);
 */
export async function* iterateItems<T>(
  readPage: (cursor: string | undefined) => Promise<Page & { readonly items: readonly T[] }>,
  options?: { maxPages?: number },
): AsyncGenerator<T, void, undefined> {
  for await (const { items } of iteratePages(readPage, options)) yield* items;
}
