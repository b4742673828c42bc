import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import type { FetchedBlock } from './fetched-block.ts';
import { listPageTxs, readRaw } from './tx-page.ts';

/** Raw bytes that go back to the mempool at once; what a deeper reorg leaves comes with the next look at the node's. */
const MAX_BYTES = 4_000_000;
const PAGES_AT_ONCE = 256;

type PageRow = { first_id: number; position: number; data: Uint8Array };

const FIND_BLOCK = sql<{ first_tx_id: number }>('select first_tx_id from block where height = $1');
const LIST_PAGES = sql<PageRow>(
  'select first_id, position, data from tx_page where first_id >= $1 order by first_id limit $2',
);

/**
 * The transactions of all blocks from `height` up, as bytes in chain order, that wait to be mined again when those
 * blocks go: no coinbases, and none that is in `replacement`.
 */
export async function listReturningTxs(
  reader: Reader,
  height: number,
  replacement: readonly FetchedBlock[],
): Promise<Uint8Array[]> {
  const block = await reader.get(FIND_BLOCK, [height]);
  if (!block) return [];
  const mined = new Set(replacement.flatMap(listTxids));
  const returning: Uint8Array[] = [];
  let bytes = 0;
  let from = block.first_tx_id;
  for (;;) {
    const pages = await reader.all(LIST_PAGES, [from, PAGES_AT_ONCE]);
    for (const { first_id, position, data } of pages) {
      for (const tx of listPageTxs(data, first_id)) {
        if (position + tx.index === 0 || mined.has(bytesToHex(tx.txid))) continue;
        const raw = readRaw(tx);
        bytes += raw.length;
        if (bytes > MAX_BYTES) return returning;
        // A copy: the page goes with its block.
        returning.push(new Uint8Array(raw));
      }
    }
    if (pages.length < PAGES_AT_ONCE) return returning;
    from = pages.at(-1)!.first_id + 1;
  }
}

function listTxids({ scan }: FetchedBlock): string[] {
  return Array.from({ length: scan.txCount }, (_, t) => bytesToHex(scan.txid.subarray(t * 32, t * 32 + 32)));
}
