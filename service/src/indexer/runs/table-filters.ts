import type { Reader, Writer } from '../../db/database.ts';
import { type SqlValue, sql } from '../../db/statement.ts';
import { defineTable } from '../../db/table.ts';
import type { RunFilter } from './run-filter.ts';
import { runKinds } from './run-kinds.ts';

/** Filters of runs whose pages are in tables, in pieces: see {@link pieceNumber}. */
export const runFilterTable = defineTable({
  name: 'run_filter',
  columns: { piece: 'int', data: 'bytes' },
  primaryKey: ['piece'],
});

const PIECE_BYTES = 256 * 1024;
const MOST_PIECES = 2 ** 12;

/** Of a large filter some megabytes at once: all of it as text would be twice its size. */
const PIECES_AT_ONCE = 16;

const LIST_PIECES = sql<{ data: Uint8Array }>(
  `select wide(data) as data from ${runFilterTable.name} where piece >= $1 and piece < $2 order by piece`,
  { isSeldom: true },
);
const SUM_PIECES = sql<{ bytes: number }>(
  `select cast(coalesce(sum(length(data)), 0) as bigint) as bytes from ${runFilterTable.name}
   where piece >= $1 and piece < $2`,
  { isSeldom: true },
);
const DELETE_PIECES = sql(`delete from ${runFilterTable.name} where piece >= $1 and piece < $2`);

/** Number of the first piece of a filter; those of a run follow one another. */
function pieceNumber(runId: number, code: number): number {
  return (runId * runKinds.length + code) * MOST_PIECES;
}

/**
 * Reads the filters of some kinds of a run; undefined where it has none. Their first pieces are asked for at once, which makes them one
 * question to a server, and of the run of a block they are all; of large filters one is read after the other.
 */
export async function loadTableFilters(
  reader: Reader,
  runId: number,
  codes: readonly number[],
): Promise<(RunFilter | undefined)[]> {
  const begun = await Promise.all(
    codes.map((code) => {
      const first = pieceNumber(runId, code);
      return reader.all(LIST_PIECES, [first, first + 1]);
    }),
  );
  const filters: (RunFilter | undefined)[] = [];
  for (const [i, rows] of begun.entries())
    filters.push(rows[0] && (await readOn(reader, runId, codes[i]!, rows[0].data)));
  return filters;
}

/** The whole of a filter of which the first piece was read: all but the last are full. */
async function readOn(reader: Reader, runId: number, code: number, begun: Uint8Array): Promise<RunFilter> {
  if (begun.length < PIECE_BYTES) return new Uint8Array(begun);
  const first = pieceNumber(runId, code);
  const { bytes } = (await reader.get(SUM_PIECES, [first, first + MOST_PIECES]))!;
  // Filled piece by piece: with all pieces in memory beside it, it would take twice its size.
  const filter = new Uint8Array(bytes);
  filter.set(begun);
  let at = begun.length;
  for (let next = first + 1; at < bytes; next += PIECES_AT_ONCE) {
    const rows = await reader.all(LIST_PIECES, [next, next + PIECES_AT_ONCE]);
    if (rows.length === 0) throw new Error(`the filter of kind ${code} of run ${runId} lacks pieces`);
    for (const { data } of rows) {
      filter.set(data, at);
      at += data.length;
    }
  }
  return filter;
}

/** @param filters by code of the kind */
export async function insertTableFilters(
  writer: Writer,
  runId: number,
  filters: readonly (RunFilter | undefined)[],
): Promise<void> {
  const numbers: number[] = [];
  const pieces: SqlValue[] = [];
  for (const [code, filter] of filters.entries()) {
    if (!filter) continue;
    for (let at = 0; at < filter.length; at += PIECE_BYTES) {
      numbers.push(pieceNumber(runId, code) + at / PIECE_BYTES);
      pieces.push(filter.subarray(at, at + PIECE_BYTES));
    }
  }
  await writer.insert(runFilterTable, numbers.length, [numbers, pieces]);
}

/** Deletes the filters of a run. */
export async function deleteTableFilters(writer: Writer, runId: number): Promise<void> {
  await writer.run(DELETE_PIECES, [pieceNumber(runId, 0), pieceNumber(runId + 1, 0)]);
}
