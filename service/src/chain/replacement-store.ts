import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import {
  decodeReplaced,
  decodeReplacement,
  type ReplacementRow,
  replacedKey,
  replacesKey,
} from '../indexer/mempool/replacement-rows.ts';
import type { Replacement } from './chain-view.ts';

const GET = sql<{ value: string }>('select value from meta where key = $1');

/** What took the place of a transaction, as far as it is remembered. */
export async function findReplacement(reader: Reader, txid: Uint8Array): Promise<Replacement | undefined> {
  const row = await findRow(reader, bytesToHex(txid));
  return row && toReplacement(row);
}

/** What a transaction replaced, and what those had replaced before, nearest first. */
export async function listReplaced(reader: Reader, txid: Uint8Array, limit: number): Promise<Replacement[]> {
  const found: Replacement[] = [];
  const seen = new Set([bytesToHex(txid)]);
  for (const by of seen) {
    const list = (await reader.get(GET, [replacesKey(by)]))?.value;
    for (const replaced of list === undefined ? [] : decodeReplaced(list)) {
      if (found.length === limit) return found;
      if (seen.has(replaced)) continue;
      const row = await findRow(reader, replaced);
      if (row === undefined) continue;
      seen.add(replaced);
      found.push(toReplacement(row));
    }
  }
  return found;
}

async function findRow(reader: Reader, txid: string): Promise<ReplacementRow | undefined> {
  const key = replacedKey(txid);
  const row = await reader.get(GET, [key]);
  return row && decodeReplacement(key, row.value);
}

function toReplacement({ txid, by, isDirect, atMs, fee, weight }: ReplacementRow): Replacement {
  return { txid: getHexBytes(txid), by: getHexBytes(by), isDirect, atMs, fee, weight };
}
