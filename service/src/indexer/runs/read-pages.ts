import { DatabaseDamagedError } from '../../db/damage.ts';
import type { Reader } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';
import { readFile } from '../disk/pages-ahead.ts';
import { sortAscending } from '../encoding/sort-order.ts';
import { SLOT_BYTES } from './run-file-format.ts';
import { type RunKind, runKinds } from './run-kinds.ts';
import { compareBytes, headBytesInSql, openPage, type PageRow, PLACES, type RunPage } from './run-page.ts';
import type { Run } from './run-set.ts';
import { seekInFile } from './seek-in-file.ts';

type Statements = {
  readonly at: Statement<PageRow>;
  readonly atOrBelow: Statement<PageRow>;
  readonly below: Statement<PageRow>;
  readonly from: Statement<PageRow>;
  readonly lastNotAbove: Statement<PageRow>;
};

const statements = new Map<RunKind, Statements>(runKinds.map((kind) => [kind, describeStatements(kind)]));

/** The first entry of a page as SQL, as much of it as $3 has bytes: see {@link openPage}. */
function firstEntry(data: string): string {
  return `substring(${data} from 1 + ${headBytesInSql(data)} for length($3::bytea))`;
}

function describeStatements({ table: { name } }: RunKind): Statements {
  const select = `select page, wide(data) as data from ${name}`;
  return {
    at: sql(`${select} where page = $1`),
    atOrBelow: sql(`${select} where page <= $1 order by page desc limit 1`),
    below: sql(`${select} where page < $1 order by page desc limit 1`),
    from: sql(`${select} where page >= $1 and page < $2 order by page limit $3`, { isBulk: true }),
    // Halves the numbers from $1, whose page is not above $3, to $2, until nothing lies between: all of it is done by the server.
    lastNotAbove: sql(
      `select p.page, wide(p.data) as data from ${name} p where p.page = (
         with recursive search (low, high) as (
           select $1::int8, $2::int8
           union all
           select case when ${firstEntry('probe.data')} <= $3::bytea then probe.page else low end,
             case when ${firstEntry('probe.data')} > $3::bytea then probe.page
               when probe.page = low then (low + high) / 2 else high end
           from search cross join lateral (
             select page, data from ${name} where page <= (low + high) / 2 order by page desc limit 1
           ) probe where high - low > 1
         )
         select max(low) from search
       )`,
    ),
  };
}

/** Number of the first page of a run. */
export function firstPageOf({ id, file }: Run): number {
  return file ? 0 : id * PLACES;
}

/**
 * The last page of a run whose first entry is not above `target`, or the first page. The run has entries of the kind.
 *
 * @param target bytes of an entry, or its beginning: whoever wants the first of several that begin alike makes it longer
 * @throws DatabaseDamagedError when pages are missing: what they had cannot be answered
 */
export async function seekPage(
  reader: Reader,
  run: Run,
  kind: RunKind,
  target: Uint8Array,
): Promise<RunPage> {
  if (run.file) return await readFile(run.file, (file) => seekInFile(file, kind, target));
  const base = run.id * PLACES;
  let page = await getAtOrBelow(reader, run, kind, base + kind.locate(target, 0));
  while (page.number > base && isAbove(page, target)) page = await getPageBefore(reader, run, kind, page);
  return page.next === page.number + 1 ? await seekOnward(reader, run, kind, page, target) : page;
}

/**
 * Pages of a run whose entries begin alike have numbers that follow one another, and the last of them is asked for: by one question,
 * since a hub's are thousands, and each that came here would cost as much as all of them do there.
 */
async function seekOnward(
  reader: Reader,
  run: Run,
  kind: RunKind,
  from: RunPage,
  target: Uint8Array,
): Promise<RunPage> {
  const end = (run.id + 1) * PLACES;
  const row = await reader.get(statements.get(kind)!.lastNotAbove, [from.number, end, target]);
  return openSound(run, kind, from.number, row);
}

function isAbove({ data, start }: RunPage, target: Uint8Array): boolean {
  return compareBytes(data, start, target, 0, target.length) > 0;
}

async function getAtOrBelow(reader: Reader, run: Run, kind: RunKind, number: number): Promise<RunPage> {
  const row = await reader.get(statements.get(kind)!.atOrBelow, [number]);
  return openSound(run, kind, number, row);
}

/** The page behind another, which says that there is one. */
export async function getPageAfter(
  reader: Reader,
  run: Run,
  kind: RunKind,
  { next }: RunPage,
): Promise<RunPage> {
  if (run.file) return await readFile(run.file, (file) => file.read(kind.code, next!));
  const row = await reader.get(statements.get(kind)!.at, [next!]);
  if (!row) throw damaged(run, kind, next!);
  return openPage(kind, row);
}

/** The page before another that is not the first. */
export async function getPageBefore(
  reader: Reader,
  run: Run,
  kind: RunKind,
  { number }: RunPage,
): Promise<RunPage> {
  if (run.file) return await readFile(run.file, (file) => file.read(kind.code, number - 1));
  const row = await reader.get(statements.get(kind)!.below, [number]);
  const page = openSound(run, kind, number - 1, row);
  if (page.next !== number) throw damaged(run, kind, number);
  return page;
}

/**
 * Pages of a run in order, from a number on.
 * @param slots room for `limit` slots, which pages of a file are left in until its next use
 */
export async function listPages(
  reader: Reader | undefined,
  run: Run,
  kind: RunKind,
  from: number,
  limit: number,
  slots?: Uint8Array,
): Promise<RunPage[]> {
  if (run.file) {
    const most = Math.max(0, Math.min(limit, run.file.countPages(kind.code) - from));
    return run.file.readMany(kind.code, from, slots ?? new Uint8Array(most * SLOT_BYTES));
  }
  const rows = await reader!.all(statements.get(kind)!.from, [from, (run.id + 1) * PLACES, limit]);
  return rows.map((row) => openPage(kind, row));
}

/** A page that is the last one not above a number: the next one says whether one is missing. */
function openSound(run: Run, kind: RunKind, number: number, row: PageRow | undefined): RunPage {
  if (!row || row.page < run.id * PLACES) throw damaged(run, kind, number);
  const page = openPage(kind, row);
  if (page.next !== undefined && page.next <= number) throw damaged(run, kind, page.next);
  return page;
}

/** What is thrown where a page is missing. */
export function damaged({ firstHeight, lastHeight }: Run, { table }: RunKind, number: number): Error {
  return new DatabaseDamagedError(
    `the index is damaged: page ${number} of ${table.name}, for blocks ${firstHeight} to ${lastHeight}, is missing; ` +
      'delete the index to have it rebuilt',
  );
}

/** Sorts numbers of pages, without those that come twice. */
export function sortNumbers(numbers: readonly number[]): Float64Array {
  const sorted = Float64Array.from(new Set(numbers));
  sortAscending(sorted);
  return sorted;
}
