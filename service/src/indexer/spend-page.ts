import type { Reader, Writer } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { spendTable } from './layout.ts';
import { readUint48, UINT48_BYTES, writeUint48 } from './uint48.ts';

/**
 * Which transaction spent an output: one slot of 48 bits an output, in pages of neighbouring output numbers. A slot is
 * the spender's id plus one, or 0; a page without a spent output has no row.
 */

/** Slots of which two pages fill one leaf of SQLite's b-tree (8,192 bytes). */
const SLOTS_PER_PAGE = 640;

type PageRow = { page: number; data: Uint8Array };

const FIND_PAGE = sql<{ data: Uint8Array }>('select wide(data) as data from spend where page = $1');
const LIST_PAGES = sql<PageRow>('select page, wide(data) as data from spend where page = any($1)');

/** Spenders by output number, in columns. */
export type Spends = { outputIds: number[]; spenderIds: number[] };

/** Number of the page that an output belongs to. */
export function pageOfOutput(outputId: number): number {
  return Math.floor(outputId / SLOTS_PER_PAGE);
}

/** A page without a spent output. */
export function createSpendPage(): Uint8Array {
  return new Uint8Array(SLOTS_PER_PAGE * UINT48_BYTES);
}

/** Id of the transaction that spent an output of this page; undefined while it is unspent. */
export function readSpender(page: Uint8Array, outputId: number): number | undefined {
  const slot = readUint48(page, (outputId % SLOTS_PER_PAGE) * UINT48_BYTES);
  return slot === 0 ? undefined : slot - 1;
}

/** Enters the spender of an output of this page; undefined makes it unspent again. */
export function writeSpender(page: Uint8Array, outputId: number, spenderId: number | undefined): void {
  writeUint48(page, (outputId % SLOTS_PER_PAGE) * UINT48_BYTES, spenderId === undefined ? 0 : spenderId + 1);
}

/** Reads pages by number; one without a spent output is not there. */
export async function loadSpendPages(
  reader: Reader,
  numbers: Iterable<number>,
): Promise<Map<number, Uint8Array>> {
  const rows = await reader.lookup(LIST_PAGES, Float64Array.from(numbers).sort());
  return new Map(rows.map(({ page, data }) => [page, data]));
}

/** Writes pages as they are now. */
export async function writeSpendPages(writer: Writer, pages: ReadonlyMap<number, Uint8Array>): Promise<void> {
  const order = [...Float64Array.from(pages.keys()).sort()];
  const full = order.filter((number) => pages.get(number)!.some((byte) => byte !== 0));
  const empty = order.filter((number) => !pages.get(number)!.some((byte) => byte !== 0));
  await writer.upsert(spendTable, full.length, [full, full.map((number) => pages.get(number)!)]);
  await writer.delete(spendTable, empty.length, [empty]);
}

/** Marks outputs as unspent again. */
export async function removeSpends(writer: Writer, outputIds: readonly number[]): Promise<void> {
  const pages = await loadSpendPages(writer, new Set(outputIds.map(pageOfOutput)));
  for (const outputId of outputIds) {
    const page = pages.get(pageOfOutput(outputId));
    if (page) writeSpender(page, outputId, undefined);
  }
  await writeSpendPages(writer, pages);
}

/** Id of the transaction that spent an output; undefined while it is unspent. */
export async function findSpender(reader: Reader, outputId: number): Promise<number | undefined> {
  const row = await reader.get(FIND_PAGE, [pageOfOutput(outputId)]);
  return row && readSpender(row.data, outputId);
}

/** Ids of the transactions that spent outputs `from .. from + count - 1`; undefined where unspent. */
export async function findSpenders(
  reader: Reader,
  from: number,
  count: number,
): Promise<(number | undefined)[]> {
  if (count === 1) return [await findSpender(reader, from)];
  const first = pageOfOutput(from);
  const last = pageOfOutput(from + count - 1);
  const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const pages = await loadSpendPages(reader, numbers);
  return Array.from({ length: count }, (_, i) => {
    const page = pages.get(pageOfOutput(from + i));
    return page && readSpender(page, from + i);
  });
}
