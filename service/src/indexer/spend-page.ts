import type { Reader, Writer } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { spendTable } from './layout.ts';
import { readUint48, UINT48_BYTES, writeUint48 } from './uint48.ts';

/**
 * Which transaction spent an output: one slot of 48 bits an output, in pages of neighbouring output numbers. A slot is
 * the spender's id plus one, or 0; a page without a spent output has no row.
 */

/** Slots that fill one leaf of SQLite's b-tree (4,096 bytes). */
const SLOTS_PER_PAGE = 640;

type PageRow = { page: number; data: Uint8Array };

const FIND_PAGE = sql<{ data: Uint8Array }>('select wide(data) as data from spend where page = $1');
const LIST_PAGES = sql<PageRow>('select page, wide(data) as data from spend where page = any($1)');

/** Spenders by output number, in columns. */
export type Spends = { outputIds: number[]; spenderIds: number[] };

/** Enters the spenders of outputs. */
export async function addSpends(writer: Writer, { outputIds, spenderIds }: Spends): Promise<void> {
  await changePages(writer, outputIds, (i) => spenderIds[i]! + 1);
}

/** Marks outputs as unspent again. */
export async function removeSpends(writer: Writer, outputIds: readonly number[]): Promise<void> {
  await changePages(writer, outputIds, () => 0);
}

/** Id of the transaction that spent an output; undefined while it is unspent. */
export async function findSpender(reader: Reader, outputId: number): Promise<number | undefined> {
  const row = await reader.get(FIND_PAGE, [Math.floor(outputId / SLOTS_PER_PAGE)]);
  const slot = row ? readUint48(row.data, (outputId % SLOTS_PER_PAGE) * UINT48_BYTES) : 0;
  return slot === 0 ? undefined : slot - 1;
}

/** Ids of the transactions that spent outputs `from .. from + count - 1`; undefined where unspent. */
export async function findSpenders(
  reader: Reader,
  from: number,
  count: number,
): Promise<(number | undefined)[]> {
  if (count === 1) return [await findSpender(reader, from)];
  const first = Math.floor(from / SLOTS_PER_PAGE);
  const last = Math.floor((from + count - 1) / SLOTS_PER_PAGE);
  const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const pages = new Map((await reader.lookup(LIST_PAGES, numbers)).map((row) => [row.page, row.data]));
  return Array.from({ length: count }, (_, i) => {
    const data = pages.get(Math.floor((from + i) / SLOTS_PER_PAGE));
    const slot = data ? readUint48(data, ((from + i) % SLOTS_PER_PAGE) * UINT48_BYTES) : 0;
    return slot === 0 ? undefined : slot - 1;
  });
}

async function changePages(
  writer: Writer,
  outputIds: readonly number[],
  slotOf: (index: number) => number,
): Promise<void> {
  const numbers = new Set<number>();
  for (const outputId of outputIds) numbers.add(Math.floor(outputId / SLOTS_PER_PAGE));
  const order = [...Float64Array.from(numbers).sort()];
  const pages = new Map<number, Uint8Array>();
  for (const { page, data } of await writer.lookup(LIST_PAGES, order)) pages.set(page, data);
  for (let i = 0; i < outputIds.length; i++) {
    const outputId = outputIds[i]!;
    const number = Math.floor(outputId / SLOTS_PER_PAGE);
    let page = pages.get(number);
    if (!page) {
      page = new Uint8Array(SLOTS_PER_PAGE * UINT48_BYTES);
      pages.set(number, page);
    }
    writeUint48(page, (outputId % SLOTS_PER_PAGE) * UINT48_BYTES, slotOf(i));
  }
  const full = order.filter((number) => pages.get(number)!.some((byte) => byte !== 0));
  const empty = order.filter((number) => !pages.get(number)!.some((byte) => byte !== 0));
  await writer.upsert(spendTable, full.length, [full, full.map((number) => pages.get(number)!)]);
  await writer.delete(spendTable, empty.length, [empty]);
}
