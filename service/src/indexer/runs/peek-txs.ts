import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { readUint48 } from '../encoding/uint48.ts';
import { TX_KEY_BYTES, txRuns } from './run-kinds.ts';
import { compareBytes, MOST_PLAIN_HEAD_BYTES, openPage, PLACES } from './run-page.ts';

/**
 * Looking up what inputs spend is most of what PostgreSQL is asked in a first sync, and nearly all of a page of `tx` would be sent for
 * nothing. The server looks in the page itself, and sends what is needed to be sure: its head and first key, and the entries from the
 * first one on that begins as the txid does.
 */
type PeekRow = { number: number; page: number; at: number; data: Uint8Array };

/** What a run in tables says of a txid: its ids, ascending; undefined where that takes more than a peek. */
export type PeekedIds = readonly number[] | undefined;

const HEAD_BYTES = MOST_PLAIN_HEAD_BYTES + TX_KEY_BYTES;
/** A neighbour may begin with the same 32 bits, and the one behind must be another. */
const WINDOW_ENTRIES = 3;

/** `position` and `substring` count from 1; the last half of a page's number is how its entry begins. */
const PEEK = sql<PeekRow>(
  `select s.number, s.page, s.at, wide(s.data) as data from (
     select w.number, p.page, f.at, substring(p.data for ${HEAD_BYTES})
       || substring(p.data from f.at for case when f.at = 0 then 0 else ${WINDOW_ENTRIES * txRuns.entryBytes} end) as data
     from unnest($1::int8[]) as w(number)
     cross join lateral (select page, data from ${txRuns.table.name} where page <= w.number order by page desc limit 1) p
     cross join lateral (select position(substring(int8send(w.number) from 5) in p.data) as at offset 0) f
     offset 0
   ) s`,
);

/**
 * Looks at the pages of many txids, of any runs in tables.
 *
 * @param numbers ascending, each once: of the run times `PLACES`, and the place of the txid
 * @returns what to ask of a number and the key that it was made of
 */
export async function peekTxs(
  reader: Reader,
  numbers: Float64Array,
): Promise<(number: number, key: Uint8Array) => PeekedIds> {
  const rows = new Map<number, PeekRow>();
  for (const row of await reader.lookup(PEEK, numbers)) rows.set(row.number, row);
  return (number, key) => {
    const row = rows.get(number);
    return row && readPeeked(row, key);
  };
}

function readPeeked({ number, page, at, data }: PeekRow, key: Uint8Array): PeekedIds {
  const { start, next } = openPage(txRuns, { page, data });
  // Of another run, or not the last one that may have it: pages are missing.
  if (page < number - (number % PLACES) || (next !== undefined && next <= number)) return undefined;
  // The page before may have some, too.
  if (compareBytes(data, start, key, 0, key.length) >= 0) return undefined;
  if (at === 0) return [];
  if ((at - 1 - start) % txRuns.entryBytes !== 0) return undefined;
  const ids: number[] = [];
  for (let entry = HEAD_BYTES; entry < data.length; entry += txRuns.entryBytes) {
    const order = compareBytes(data, entry, key, 0, key.length);
    if (order > 0) return ids;
    if (order === 0) ids.push(readUint48(data, entry + TX_KEY_BYTES));
  }
  // The page may have more of them.
  const endsHere = data.length < HEAD_BYTES + WINDOW_ENTRIES * txRuns.entryBytes;
  return endsHere ? ids : undefined;
}
