import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { RememberedRange } from '../feed/feed-protocol.ts';

/** What comes next spends most of its inputs from so many of the latest transactions. */
export const LATEST_TXS = 100_000;
const MOST_BLOCKS = 1_000;

const LIST_BLOCKS = sql<{ height: number; tx_count: number; first_tx_id: number }>(
  'select height, tx_count, first_tx_id from block order by height desc limit $1',
);

/** The latest blocks of the index, about so many transactions; undefined while there are none. */
export async function findLatestBlocks(reader: Reader): Promise<RememberedRange | undefined> {
  const blocks = await reader.all(LIST_BLOCKS, [MOST_BLOCKS]);
  const [tip] = blocks;
  if (!tip) return undefined;
  let first = tip;
  let txs = 0;
  for (first of blocks) {
    txs += first.tx_count;
    if (txs >= LATEST_TXS) break;
  }
  return { fromHeight: first.height, toHeight: tip.height, firstOutput: first.first_tx_id };
}
