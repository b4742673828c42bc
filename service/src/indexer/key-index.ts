import type { Reader, Writer } from '../db/database.ts';
import { type Statement, sql } from '../db/statement.ts';
import type { Table } from '../db/table.ts';
import {
  buildPages,
  countPages,
  decodeKeyPage,
  EMPTY_PAGE,
  findIds,
  groupByPage,
  type KeyEntries,
  type KeyList,
  mergeKeyPage,
  pageBeforeSplits,
  pageOfKey,
  splitKeyPage,
} from './key-page.ts';
import { scriptKeyTable, txKeyTable } from './layout.ts';

type PageRow = { page: number; data: Uint8Array };

/** One of the two key indexes: see {@link pageOfKey}. All functions take the number of its entries as it is now. */
export type KeyIndex = {
  readonly table: Table;
  readonly list: Statement<PageRow>;
  readonly find: Statement<PageRow>;
};

/** Transactions by the first 48 bits of their txid; ids are transaction ids. */
export const txKeys = describeKeyIndex(txKeyTable);
/** Scripts by the first 48 bits of their SHA-256; ids are script ids. */
export const scriptKeys = describeKeyIndex(scriptKeyTable);

function describeKeyIndex(table: Table): KeyIndex {
  return {
    table,
    list: sql(`select page, wide(data) as data from ${table.name} where page = any($1)`),
    find: sql(`select page, wide(data) as data from ${table.name} where page = $1`),
  };
}

/** Ids under one key: candidates. */
export async function findCandidates(
  reader: Reader,
  index: KeyIndex,
  entries: number,
  key: number,
): Promise<readonly number[]> {
  const row = await reader.get(index.find, [pageOfKey(key, countPages(entries))]);
  return row ? findIds(row.data, key) : [];
}

/** Pages of the index, read for a batch: looked up many times, then written with what the batch adds. */
export type LoadedPages = { entries: number; pages: Map<number, Uint8Array> };

/** Reads the pages of these keys. */
export async function loadPages(
  writer: Writer,
  index: KeyIndex,
  entries: number,
  keys: readonly ArrayLike<number>[],
): Promise<LoadedPages> {
  const loaded: LoadedPages = { entries, pages: new Map() };
  const count = countPages(entries);
  const wanted = new Set<number>();
  for (const column of keys) {
    for (let i = 0; i < column.length; i++) wanted.add(pageOfKey(column[i]!, count));
  }
  await loadMore(writer, index, loaded, wanted);
  return loaded;
}

/** Candidates among pages that were loaded for the key. */
export function findLoaded({ entries, pages }: LoadedPages, key: number): readonly number[] {
  return findIds(pages.get(pageOfKey(key, countPages(entries))) ?? EMPTY_PAGE, key);
}

/** Adds entries; pages of their keys must be loaded. */
export async function addKeys(
  writer: Writer,
  index: KeyIndex,
  loaded: LoadedPages,
  added: KeyEntries,
): Promise<void> {
  if (added.keys.length === 0) return;
  const before = countPages(loaded.entries);
  const after = countPages(loaded.entries + added.keys.length);
  const split = new Set<number>();
  for (let page = before; page < after; page++) split.add(pageBeforeSplits(page, before));
  await loadMore(writer, index, loaded, split);

  const changed = new Map<number, Uint8Array>();
  for (const source of split) {
    const data = loaded.pages.get(source);
    for (const [page, part] of data ? splitKeyPage(data, after) : []) changed.set(page, part);
    if (!changed.has(source)) changed.set(source, EMPTY_PAGE);
  }
  const grouped = groupByPage(added, after);
  for (const [i, page] of grouped.pages.entries()) {
    const data = changed.get(page) ?? (page < before ? loaded.pages.get(page) : undefined) ?? EMPTY_PAGE;
    changed.set(page, mergeKeyPage(data, grouped, grouped.start[i]!, grouped.start[i + 1]!));
  }
  await writePages(writer, index, changed);
}

/** Takes entries out again, the reverse of {@link addKeys}. */
export async function removeKeys(
  writer: Writer,
  index: KeyIndex,
  entries: number,
  removed: KeyList,
): Promise<void> {
  if (removed.keys.length === 0) return;
  const before = countPages(entries);
  const after = countPages(entries - removed.keys.length);
  const touched = new Set(removed.keys.map((key) => pageBeforeSplits(pageOfKey(key, before), after)));
  for (let page = after; page < before; page++) touched.add(pageBeforeSplits(page, after));
  const sources = new Set(touched);
  for (let page = after; page < before; page++) sources.add(page);
  for (const key of removed.keys) sources.add(pageOfKey(key, before));
  const loaded: LoadedPages = { entries, pages: new Map() };
  await loadMore(writer, index, loaded, sources);

  const gone = new Set(removed.keys.map((key, i) => `${key}:${removed.ids[i]}`));
  const kept: KeyList = { keys: [], ids: [] };
  for (const data of loaded.pages.values()) {
    const { keys, ids } = decodeKeyPage(data);
    for (let i = 0; i < keys.length; i++) {
      if (gone.has(`${keys[i]}:${ids[i]}`)) continue;
      kept.keys.push(keys[i]!);
      kept.ids.push(ids[i]!);
    }
  }
  const changed = buildPages(kept, after);
  for (const page of touched) if (!changed.has(page)) changed.set(page, EMPTY_PAGE);
  await writePages(writer, index, changed);
  const surplus = Array.from({ length: before - after }, (_, i) => after + i);
  await writer.delete(index.table, surplus.length, [surplus]);
}

async function loadMore(
  writer: Writer,
  index: KeyIndex,
  { pages }: LoadedPages,
  wanted: ReadonlySet<number>,
): Promise<void> {
  const missing = Float64Array.from([...wanted].filter((page) => !pages.has(page))).sort();
  for (const { page, data } of await writer.lookup(index.list, missing)) pages.set(page, data);
}

/** An empty page has no row. */
async function writePages(
  writer: Writer,
  { table }: KeyIndex,
  changed: ReadonlyMap<number, Uint8Array>,
): Promise<void> {
  const order = Float64Array.from(changed.keys()).sort();
  const full = [...order].filter((page) => changed.get(page)!.length > 0);
  const empty = [...order].filter((page) => changed.get(page)!.length === 0);
  await writer.upsert(table, full.length, [full, full.map((page) => changed.get(page)!)]);
  await writer.delete(table, empty.length, [empty]);
}
