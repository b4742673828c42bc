import { Unreadable } from './bytes.ts';
import type { Client } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a service says; every field is checked where it is used
export type Json = any;

/** What a list that only grows has got since it was read last. */
export type News<T> = {
  /** Oldest first. */
  readonly items: readonly T[];
  /** The item that was known: undefined where the list has it no longer. */
  readonly known: Json | undefined;
  /** The newest page, as it is. */
  readonly first: Json;
};

const PAGE = 100;

/** Reads a list, newest first, down to what is known. `read` makes of each item what is kept of it. */
export async function listNew<T>(
  client: Client,
  path: string,
  { isKnown, read }: { isKnown: (item: Json) => boolean; read: (item: Json) => T },
): Promise<News<T> | undefined> {
  const items: T[] = [];
  let [cursor, first] = ['', undefined as Json];
  for (;;) {
    const page = await client.json(`${path}?limit=${PAGE}${cursor}`);
    if (page === undefined && first === undefined) return undefined;
    if (!Array.isArray(page?.items)) throw new Unreadable(`${path} lists nothing`);
    first ??= page;
    for (const item of page.items) {
      if (isKnown(item)) return { items: items.reverse(), known: item, first };
      items.push(read(item));
    }
    if (page.next_cursor === null || page.items.length === 0)
      return { items: items.reverse(), known: undefined, first };
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}
