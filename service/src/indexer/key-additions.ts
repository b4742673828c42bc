import type { Writer } from '../db/database.ts';
import { groupByPage, orderByPage } from './key-groups.ts';
import {
  joinIds,
  type KeyIndex,
  loadPages,
  loadTail,
  removeTail,
  writePages,
  writeTail,
} from './key-index.ts';
import {
  countPages,
  EMPTY_PAGE,
  findIds,
  type KeyEntries,
  mergeKeyPage,
  pageBeforeSplits,
  splitKeyPage,
} from './key-page.ts';
import { createPendingKeys } from './pending-keys.ts';

/**
 * What a transaction of the database adds to a key index. Keys are hashes, so the entries of one batch belong to nearly all
 * pages of the table: they stay in memory until those of many batches are written, and a page is read and written once for all.
 */
export type KeyAdditions = {
  /** How many entries are not in their pages. */
  readonly size: number;
  /** How many pages of the table writing them changes at most, but for those that only are split. */
  readonly pages: number;
  /** By key, the ids of its entries in the table and of those added here: candidates. */
  find(keys: ArrayLike<number>): Promise<(readonly number[])[]>;
  add(entries: KeyEntries): void;
  /** Writes what was added: to the tail where that is little, so that {@link KeyAdditions.write} has still to follow. */
  keep(): Promise<void>;
  /** Writes what was added, and the tail, to the pages. */
  write(): Promise<void>;
  /** Begins with the table as it is, which has so many entries: those of a tail are what is added. */
  load(entries: number): Promise<void>;
  /** Forgets what was added and what was read; {@link KeyAdditions.load} has to follow. */
  forget(): void;
};

type PageLimits = {
  /** Pages that are read and changed at once. */
  readonly atOnce: number;
  /** Pages that are kept from finding for writing; what is beyond is read again. */
  readonly held: number;
  /** Entries that a tail may have: who looks a key up meanwhile reads it whole. */
  readonly inTail: number;
};

/** 10 MB in few statements, 38 MB, and 400 KB. */
const LIMITS: PageLimits = { atOnce: 4_096, held: 16_384, inTail: 32_768 };

/** Nothing is known of the table before {@link KeyAdditions.load}. */
export function createKeyAdditions(
  writer: Writer,
  index: KeyIndex,
  limits: PageLimits = LIMITS,
): KeyAdditions {
  const pending = createPendingKeys();
  const held = new Map<number, Uint8Array>();
  /** Entries that are in pages; those of the tail, the first that are pending, are not. */
  let written = 0;
  let inTail = 0;

  const forget = (): void => {
    pending.clear();
    held.clear();
    inTail = 0;
  };

  /** @returns what tells each of these pages, as it is in the table */
  const load = async (wanted: readonly number[]): Promise<(page: number) => Uint8Array> => {
    const missing = wanted.filter((page) => !held.has(page));
    const loaded = missing.length > 0 ? await loadPages(writer, index, missing) : EMPTY;
    for (const page of missing) {
      if (held.size >= limits.held) break;
      held.set(page, loaded.get(page) ?? EMPTY_PAGE);
    }
    return (page) => held.get(page) ?? loaded.get(page) ?? EMPTY_PAGE;
  };

  const write = async (): Promise<void> => {
    if (pending.size === 0) return;
    const before = countPages(written);
    const after = countPages(written + pending.size);
    const grouped = groupByPage(pending.list(), after);
    const groupOf = new Map(grouped.pages.map((page, group) => [page, group]));
    const merge = (page: number, data: Uint8Array): Uint8Array => {
      const group = groupOf.get(page);
      return group === undefined
        ? data
        : mergeKeyPage(data, grouped, grouped.start[group]!, grouped.start[group + 1]!);
    };
    const splits = listSplits(before, after);
    const sources = new Set([...splits.keys(), ...grouped.pages.filter((page) => page < before)]);
    const ascending = [...Float64Array.from(sources).sort()];
    for (let first = 0; first < ascending.length; first += limits.atOnce) {
      const slice = ascending.slice(first, first + limits.atOnce);
      const dataOf = await load(slice);
      const changed = new Map<number, Uint8Array>();
      for (const source of slice) {
        const data = dataOf(source);
        held.delete(source);
        const targets = splits.get(source);
        if (!targets) {
          changed.set(source, merge(source, data));
          continue;
        }
        const parts = splitKeyPage(data, after);
        for (const target of [source, ...targets])
          changed.set(target, merge(target, parts.get(target) ?? EMPTY_PAGE));
      }
      await writePages(writer, index, changed);
    }
    if (inTail > 0) await removeTail(writer, index);
    written += pending.size;
    forget();
  };

  return {
    get size() {
      return pending.size;
    },
    get pages() {
      return Math.min(pending.size, countPages(written + pending.size));
    },
    async find(keys) {
      const found: (readonly number[])[] = new Array(keys.length);
      const { order, pages, start } = orderByPage(keys, countPages(written));
      for (let first = 0; first < pages.length; first += limits.atOnce) {
        const end = Math.min(first + limits.atOnce, pages.length);
        const dataOf = await load(pages.slice(first, end));
        for (let p = first; p < end; p++) {
          const data = dataOf(pages[p]!);
          for (let at = start[p]!; at < start[p + 1]!; at++) {
            const key = keys[order[at]!]!;
            found[order[at]!] = joinIds(findIds(data, key), pending.find(key));
          }
        }
      }
      return found;
    },
    add({ keys, ids }) {
      for (let i = 0; i < keys.length; i++) pending.add(keys[i]!, ids[i]!);
    },
    async keep() {
      if (pending.size === inTail) return;
      if (pending.size > limits.inTail) return await write();
      await writeTail(writer, index, pending.list());
      inTail = pending.size;
    },
    write,
    async load(entries) {
      forget();
      const { keys, ids } = await loadTail(writer, index);
      for (let i = 0; i < keys.length; i++) pending.add(keys[i]!, ids[i]!);
      inTail = keys.length;
      written = entries - inTail;
    },
    forget,
  };
}

const EMPTY: ReadonlyMap<number, Uint8Array> = new Map();

/** By page that is split, the new pages that get some of its entries. */
function listSplits(before: number, after: number): Map<number, number[]> {
  const splits = new Map<number, number[]>();
  for (let page = before; page < after; page++) {
    const source = pageBeforeSplits(page, before);
    const targets = splits.get(source);
    if (targets) targets.push(page);
    else splits.set(source, [page]);
  }
  return splits;
}
