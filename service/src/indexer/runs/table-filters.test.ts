import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresTables, type PostgresTables } from '../../../../test/harness/postgres-tables.ts';
import type { Reader, Writer } from '../../db/database.ts';
import type { RunFilter } from './run-filter.ts';
import { deleteTableFilters, insertTableFilters, loadTableFilters, runFilterTable } from './table-filters.ts';

const PIECE_BYTES = 256 * 1024;
const CODES = [0, 1, 2];

let opened: PostgresTables;
let writer: Writer;
beforeAll(async () => {
  opened = await openPostgresTables([runFilterTable]);
  ({ writer } = opened);
});
afterAll(() => opened.close());

const makeFilter = (length: number): RunFilter =>
  Uint8Array.from({ length }, (_, i) => (i * 7 + (i >>> 11)) & 0xff);

/** Filters of megabytes are compared by what they hash to. */
const describeAll = (filters: readonly (RunFilter | undefined)[]) =>
  filters.map((filter) => filter && { bytes: filter.length, hash: hash('sha256', filter) });

const load = (runId: number, codes: readonly number[]) =>
  opened.database.snapshot((reader) => loadTableFilters(reader, runId, codes), { isLarge: true });

async function insert(runId: number, lengths: readonly number[]): Promise<(RunFilter | undefined)[]> {
  const filters = lengths.map((length) => (length === 0 ? undefined : makeFilter(length)));
  await writer.begin();
  await insertTableFilters(writer, runId, filters);
  await writer.commit();
  return filters;
}

test.for([
  [0, 0, 0],
  [64, 0, 128],
  [PIECE_BYTES - 64, PIECE_BYTES, PIECE_BYTES + 64],
  [16 * PIECE_BYTES, 17 * PIECE_BYTES, 40 * PIECE_BYTES + 64],
])('filters of %i, %i and %i bytes are read as they were written', async (lengths) => {
  // Those of its neighbours are not taken for its own.
  await insert(6, [64, 64, 64]);
  const filters = await insert(7, lengths);
  await insert(8, [PIECE_BYTES, 64, 64]);
  expect(describeAll(await load(7, CODES))).toEqual(describeAll(filters));
  expect(describeAll(await load(7, [2, 0]))).toEqual(describeAll([filters[2], filters[0]]));
  for (const runId of [6, 7, 8]) await deleteTableFilters(writer, runId);
  expect(await load(7, CODES)).toEqual([undefined, undefined, undefined]);
});

test('those of a small run are asked for at once, by one statement', async () => {
  const filters = await insert(7, [64, 128, 192]);
  let open = 0;
  let most = 0;
  const asked = new Set<string>();
  const loaded = await opened.database.snapshot((reader) => {
    const counting: Reader = {
      ...reader,
      async all(statement, params) {
        asked.add(statement.text);
        most = Math.max(most, ++open);
        const rows = await reader.all(statement, params);
        open--;
        return rows;
      },
      get: () => Promise.reject(new Error('nothing else is asked')),
    };
    return loadTableFilters(counting, 7, CODES);
  });
  expect(describeAll(loaded)).toEqual(describeAll(filters));
  expect([most, asked.size]).toEqual([CODES.length, 1]);
});
