import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { DatabaseDamagedError } from '../../db/damage.ts';
import type { Reader, Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { outputPageTable } from '../layout.ts';
import { decodeOutput, type StoredOutput } from './decode-output.ts';

/**
 * Value and script of every output on PostgreSQL, by its number: page p has the outputs p * 160 up to the next page's, 24 bytes each - the key of the
 * script (16), the value (8, little-endian). So what an input spends is found by one read of a small page, where its
 * transaction would be read, parsed and hashed; and all of these pages together are a tenth of the transactions.
 */
export const OUTPUTS_A_PAGE = 160;

const ENTRY_BYTES = SCRIPT_KEY_BYTES + 8;

type PageRow = { page: number; data: Uint8Array };

const GET_PAGE = sql<PageRow>('select page, wide(data) as data from output_page where page = $1');
/** The bytes of each output alone: of a page nearly all would be sent for nothing. */
const LIST_OUTPUTS = sql<{ id: number; data: Uint8Array }>(
  `select s.id, wide(s.data) as data from (
     select w.id, substring(p.data from (w.id % ${OUTPUTS_A_PAGE})::int4 * ${ENTRY_BYTES} + 1 for ${ENTRY_BYTES}) as data
     from unnest($1::int8[]) as w(id)
     cross join lateral (select data from output_page where page = w.id / ${OUTPUTS_A_PAGE} limit 1) p
     offset 0
   ) s`,
);
const LIST_PAGES = sql<PageRow>(
  'select page, wide(data) as data from output_page where page >= $1 and page <= $2 order by page',
);
const DELETE_PAGES = sql('delete from output_page where page >= $1');

/** Adds outputs, `first` being the number of the first one: 24 bytes each. */
export async function insertOutputs(writer: Writer, first: number, outputs: Uint8Array): Promise<void> {
  const begun = await takeBegun(writer, first);
  const bytes = new Uint8Array(begun.length + outputs.length);
  bytes.set(begun);
  bytes.set(outputs, begun.length);
  await insertPages(writer, pageOf(first), bytes);
}

/** Takes out the outputs from a number on: their blocks leave the chain. */
export async function cutOutputs(writer: Writer, from: number): Promise<void> {
  const begun = await takeBegun(writer, from);
  await writer.run(DELETE_PAGES, [pageOf(from)]);
  await insertPages(writer, pageOf(from), begun);
}

/**
 * Hands over outputs by their numbers, ascending, from the pages of a table.
 *
 * @param outputIds ascending, of outputs that the index has
 * @throws DatabaseDamagedError where it does not have one
 */
export async function visitTableOutputs(
  reader: Reader,
  outputIds: ArrayLike<number>,
  visit: (output: StoredOutput) => void,
): Promise<void> {
  const rows = (await reader.lookup(LIST_OUTPUTS, outputIds)).sort((a, b) => a.id - b.id);
  let row = 0;
  for (let i = 0; i < outputIds.length; i++) {
    const outputId = outputIds[i]!;
    while (row < rows.length && rows[row]!.id < outputId) row++;
    const found = rows[row];
    if (found?.id !== outputId || found.data.length < ENTRY_BYTES) throw damaged(outputId);
    visit(decodeOutput(found.data, 0, outputId));
  }
}

/**
 * Hands over neighbouring outputs in their order; `at` is where the 24 bytes of one begin.
 *
 * @throws DatabaseDamagedError where the table does not have one of the outputs
 */
export async function visitTableRange(
  reader: Reader,
  first: number,
  count: number,
  visit: (outputId: number, bytes: Uint8Array, at: number) => void,
): Promise<void> {
  if (count === 0) return;
  const rows = await reader.all(LIST_PAGES, [pageOf(first), pageOf(first + count - 1)]);
  for (let outputId = first; outputId < first + count; outputId++) {
    const row = rows[pageOf(outputId) - pageOf(first)];
    const at = (outputId % OUTPUTS_A_PAGE) * ENTRY_BYTES;
    if (row?.page !== pageOf(outputId) || row.data.length < at + ENTRY_BYTES) throw damaged(outputId);
    visit(outputId, row.data, at);
  }
}

/** The outputs in front of a number on its page, of which the page is left with no more. */
async function takeBegun(writer: Writer, outputId: number): Promise<Uint8Array> {
  const length = (outputId % OUTPUTS_A_PAGE) * ENTRY_BYTES;
  if (length === 0) return new Uint8Array(0);
  const row = await writer.get(GET_PAGE, [pageOf(outputId)]);
  if (!row || row.data.length < length) throw damaged(outputId - 1);
  await writer.run(DELETE_PAGES, [pageOf(outputId)]);
  return row.data.slice(0, length);
}

async function insertPages(writer: Writer, first: number, bytes: Uint8Array): Promise<void> {
  const pageBytes = OUTPUTS_A_PAGE * ENTRY_BYTES;
  const pages: number[] = [];
  const data: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pageBytes) {
    pages.push(first + at / pageBytes);
    data.push(bytes.subarray(at, at + pageBytes));
  }
  await writer.insert(outputPageTable, pages.length, [pages, data]);
}

function pageOf(outputId: number): number {
  return Math.floor(outputId / OUTPUTS_A_PAGE);
}

function damaged(outputId: number): Error {
  return new DatabaseDamagedError(
    `the index is damaged: page ${pageOf(outputId)} of output_page, for output ${outputId}, is missing or cut short; ` +
      'delete the index to have it rebuilt',
  );
}
