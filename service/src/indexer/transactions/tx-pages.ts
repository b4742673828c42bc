import type { Reader, Writer } from '../../db/database.ts';
import { LargeReadError } from '../../db/large-read.ts';
import { sql } from '../../db/statement.ts';
import { readAhead } from '../disk/pages-ahead.ts';
import { txPageTable } from '../layout.ts';
import type { RunSet } from '../runs/run-set.ts';
import { findPlace, findPlaces, listPlaces } from '../tx-log/find-places.ts';
import type { TxPlace } from '../tx-log/tx-place.ts';
import { endOfPage, type FinishedPage } from './tx-page.ts';

/**
 * The pages of transactions, wherever they are: in the segments of a log on SQLite (`tx-log/`), in a table on PostgreSQL.
 */
export type TxPage = { firstId: number; height: number; position: number; data: Uint8Array };

type PageRow = { first_id: number; height: number; position: number; data: Uint8Array };

const COLUMNS = 'first_id, height, position, wide(data) as data';
const FIND = sql<PageRow>(
  `select ${COLUMNS} from tx_page where first_id <= $1 order by first_id desc limit 1`,
);
/** Each page once, however many outputs of it are asked for: a large transaction is a large page. */
const FIND_MANY = sql<PageRow>(
  `select p.first_id, p.height, p.position, wide(p.data) as data from (
     select distinct (select first_id from tx_page where first_id <= w.id order by first_id desc limit 1) as id
     from unnest($1::int8[]) as w(id)
   ) wanted
   cross join lateral (select * from tx_page where first_id <= wanted.id order by first_id desc limit 1) p`,
  { single: FIND.text, endOf: ({ first_id, data }) => endOfPage(data, first_id) },
);
const LIST = sql<PageRow>(
  `select ${COLUMNS} from tx_page where first_id >= $1 and first_id < $2 order by first_id limit $3`,
);
const FIND_OF_POSITION = sql<{ first_id: number }>(
  `select first_id from tx_page where first_id >= $1 and first_id < $2 and position <= $3
   order by first_id desc limit 1`,
);
const DELETE = sql('delete from tx_page where first_id >= $1');

/** The page that has an output; the last one where no block has made it yet. */
export async function findTxPage(reader: Reader, set: RunSet, outputId: number): Promise<TxPage | undefined> {
  if (reader.folder === undefined) {
    const row = await reader.get(FIND, [outputId]);
    return row && toPage(row);
  }
  const place = await lookUp(set, (of) => findPlace(of, outputId));
  return place && (await readTxPages(reader, set, [place]))[0];
}

/**
 * The pages that have outputs, each once and in their order.
 * @param outputIds ascending
 */
export async function findTxPages(
  reader: Reader,
  set: RunSet,
  outputIds: ArrayLike<number>,
): Promise<TxPage[]> {
  if (reader.folder === undefined) {
    const rows = await reader.lookup(FIND_MANY, outputIds);
    return rows.sort((a, b) => a.first_id - b.first_id).map(toPage);
  }
  const places = await lookUp(set, (of) => findPlaces(of, outputIds));
  return await readTxPages(reader, set, places);
}

/** Pages that begin within `from .. end - 1`, in their order, `limit` at most. */
export async function listTxPages(
  reader: Reader,
  set: RunSet,
  { from, end, limit }: { from: number; end: number; limit: number },
): Promise<TxPage[]> {
  if (reader.folder === undefined) return (await reader.all(LIST, [from, end, limit])).map(toPage);
  const places = await lookUp(set, (of) => listPlaces(of, from, end, limit));
  return await readTxPages(reader, set, places);
}

/** Looks places up; where the disk is slow, without waiting for it. */
function lookUp<T>(set: RunSet, find: (set: RunSet) => T): T | Promise<T> {
  const { log } = set;
  if (!log?.pace?.isSlow) return find(set);
  return readAhead(log.pace, (files) => find({ ...set, log: files.log(log) }));
}

/** @throws LargeReadError where they are more than may be read at once */
async function readTxPages(
  { mostAtOnce = Number.POSITIVE_INFINITY }: Reader,
  { log }: RunSet,
  places: readonly TxPlace[],
): Promise<TxPage[]> {
  if (!log) return [];
  if (places.reduce((sum, { length }) => sum + length, 0) > mostAtOnce) throw new LargeReadError();
  const { pace } = log;
  let data: Uint8Array[];
  if (pace?.isSlow && !pace.takesSample()) {
    await Promise.all(places.map((place) => log.touch(place)));
    data = pace.untimed(() => log.readMany(places));
  } else data = log.readMany(places);
  return places.map((place, i) => ({ ...describePlace(place), data: data[i]! }));
}

/** The first id of the page that has the transaction at a position of the block whose outputs are `first .. end - 1`. */
export async function findPageOfPosition(
  reader: Reader,
  set: RunSet,
  { first, end, position }: { first: number; end: number; position: number },
): Promise<number> {
  if (reader.folder === undefined)
    return (await reader.get(FIND_OF_POSITION, [first, end, position]))!.first_id;
  const places = await lookUp(set, (of) => listPlaces(of, first, end, Number.POSITIVE_INFINITY));
  return places.findLast((place) => place.position <= position)!.firstId;
}

/** Adds pages to the table. */
export async function insertTxPages(
  writer: Writer,
  pages: readonly (FinishedPage & { height: number })[],
): Promise<void> {
  await writer.insert(txPageTable, pages.length, [
    pages.map((page) => page.firstId),
    pages.map((page) => page.height),
    pages.map((page) => page.position),
    pages.map((page) => page.data),
  ]);
}

/** Takes the pages from a number on out of the table: their blocks leave the chain. */
export async function cutTxPages(writer: Writer, from: number): Promise<void> {
  await writer.run(DELETE, [from]);
}

function toPage({ first_id, height, position, data }: PageRow): TxPage {
  return { firstId: first_id, height, position, data };
}

function describePlace({ firstId, height, position }: TxPlace): Omit<TxPage, 'data'> {
  return { firstId, height, position };
}
