import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { Reader, Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';

/** Blocks that are remembered after they left the best chain, the latest. */
export const MOST_STALE_BLOCKS = 1_000;

/** A block that was in the best chain, and is not any more. */
export type StaleBlock = {
  hash: Uint8Array;
  height: number;
  /** The 80 bytes of the header. */
  header: Uint8Array;
  txCount: number;
  /** When it was seen to leave. */
  leftAtMs: number;
};

const KEY = 'stale ';
const PATTERN = `${KEY}%`;
const LIST_LEAVING = sql<{ height: number; hash: Uint8Array; header: Uint8Array; tx_count: number }>(
  'select height, hash, header, tx_count from block where height >= $1 order by height desc limit $2',
);
const LIST = sql<{ key: string; value: string }>('select key, value from meta where key like $1');
const GET = sql<{ key: string; value: string }>('select key, value from meta where key = $1');
const PUT = sql(
  'insert into meta (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
);
const DELETE = sql('delete from meta where key = $1');

/** Within the caller's transaction, before the blocks from a height on go: they are known as stale from now on. */
export async function rememberStaleBlocks(
  writer: Writer,
  fromHeight: number,
  leftAtMs: number,
  most = MOST_STALE_BLOCKS,
): Promise<void> {
  const leaving = await writer.all(LIST_LEAVING, [fromHeight, most]);
  for (const { height, hash, header, tx_count } of leaving) {
    const value = JSON.stringify([height, bytesToHex(header), tx_count, leftAtMs]);
    await writer.run(PUT, [KEY + bytesToHex(hash), value]);
  }
  for (const { hash } of (await listStaleBlocks(writer)).slice(most))
    await writer.run(DELETE, [KEY + bytesToHex(hash)]);
}

/** The block of a hash, if it was seen to leave; it may be back. */
export async function findStaleBlock(reader: Reader, hash: Uint8Array): Promise<StaleBlock | undefined> {
  const row = await reader.get(GET, [KEY + bytesToHex(hash)]);
  return row && decode(row);
}

/** All that are remembered, what left last first; some may be back. */
export async function listStaleBlocks(reader: Reader): Promise<StaleBlock[]> {
  const blocks = (await reader.all(LIST, [PATTERN])).map(decode);
  return blocks.sort((a, b) => b.leftAtMs - a.leftAtMs || b.height - a.height);
}

function decode({ key, value }: { key: string; value: string }): StaleBlock {
  const [height, header, txCount, leftAtMs] = JSON.parse(value) as [number, string, number, number];
  return { hash: getHexBytes(key.slice(KEY.length)), height, header: getHexBytes(header), txCount, leftAtMs };
}
