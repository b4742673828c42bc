import type { Reader, Writer } from '../db/database.ts';
import { type Statement, sql } from '../db/statement.ts';
import type { Table } from '../db/table.ts';
import { buildPages } from './key-groups.ts';
import {
  countEntries,
  countPages,
  decodeKeyPage,
  EMPTY_PAGE,
  findIds,
  type KeyEntries,
  type KeyList,
  pageBeforeSplits,
  pageOfKey,
} from './key-page.ts';
import { scriptKeyTable, txKeyTable } from './layout.ts';

type PageRow = { page: number; data: Uint8Array };
/** With the length of the tail where there is one. */
type FoundPage = PageRow & { tail_bytes: number | null };

/**
 * One of the two key indexes: see {@link pageOfKey}. All functions take the number of its entries as it is now.
 *
 * The keys of a block at the tip belong to as many pages as it has keys, and whoever waits for the block would wait until all
 * of them are read and written. So they are committed in one row first, the tail, and moved to their pages when the block is
 * there for everybody. Pages are laid out for the entries that are in them: all but those of the tail.
 */
export type KeyIndex = {
  readonly table: Table;
  readonly list: Statement<PageRow>;
  readonly find: Statement<FoundPage>;
  readonly findTail: Statement<{ data: Uint8Array }>;
};

/** The number of the row that is the tail; at rest there is none. */
const TAIL = -1;

/** Transactions by the first 48 bits of their txid; ids are transaction ids. */
export const txKeys = describeKeyIndex(txKeyTable);
/** Scripts by the first 48 bits of their SHA-256; ids are script ids. */
export const scriptKeys = describeKeyIndex(scriptKeyTable);

function describeKeyIndex(table: Table): KeyIndex {
  const { name } = table;
  return {
    table,
    list: sql(`select page, wide(data) as data from ${name} where page = any($1)`),
    // Only its length: those who ask together are each answered by themselves.
    find: sql(`select p.page, wide(p.data) as data, (select length(data) from ${name} where page = ${TAIL}) as tail_bytes
      from ${name} p where p.page = $1`),
    findTail: sql(`select wide(data) as data from ${name} where page = ${TAIL}`),
  };
}

/**
 * Ids under one key: candidates.
 *
 * @param reader of one snapshot, or the only writer
 */
export async function findCandidates(
  reader: Reader,
  index: KeyIndex,
  entries: number,
  key: number,
): Promise<readonly number[]> {
  const page = pageOfKey(key, countPages(entries));
  const row = await reader.get(index.find, [page]);
  if (row?.tail_bytes === null) return findIds(row.data, key);
  const tail = (await reader.get(index.findTail))?.data;
  if (tail === undefined) return [];
  const source = pageOfKey(key, countPages(entries - countEntries(tail)));
  const stored = source === page ? row : await reader.get(index.find, [source]);
  return joinIds(stored ? findIds(stored.data, key) : [], findIds(tail, key));
}

/** Candidates of two places. */
export function joinIds(stored: readonly number[], added: readonly number[]): readonly number[] {
  if (added.length === 0) return stored;
  return stored.length === 0 ? added : [...stored, ...added];
}

/** The entries of the tail. */
export async function loadTail(reader: Reader, index: KeyIndex): Promise<KeyList> {
  return decodeKeyPage((await reader.get(index.findTail))?.data ?? EMPTY_PAGE);
}

/** Makes these entries the tail, none of which is in its page. */
export async function writeTail(writer: Writer, { table }: KeyIndex, entries: KeyEntries): Promise<void> {
  await writer.upsert(table, 1, [[TAIL], [buildPages(entries, 1).get(0)!]]);
}

/** Takes the tail away: its entries are in their pages. */
export async function removeTail(writer: Writer, { table }: KeyIndex): Promise<void> {
  await writer.delete(table, 1, [[TAIL]]);
}

/** Reads pages by number, ascending; one without entries is not there. */
export async function loadPages(
  writer: Writer,
  index: KeyIndex,
  pages: ArrayLike<number>,
): Promise<Map<number, Uint8Array>> {
  const loaded = new Map<number, Uint8Array>();
  for (const { page, data } of await writer.lookup(index.list, pages)) loaded.set(page, data);
  return loaded;
}

/** Takes entries out again that the table has, all of them in their pages: there is no tail. */
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
  const loaded = await loadPages(writer, index, Float64Array.from(sources).sort());

  const gone = new Set(removed.keys.map((key, i) => `${key}:${removed.ids[i]}`));
  const kept: KeyList = { keys: [], ids: [] };
  for (const data of loaded.values()) {
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

/** Writes pages as they are now; an empty one has no row. */
export async function writePages(
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
