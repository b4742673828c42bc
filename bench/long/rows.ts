import type { BlockLog } from './chain/block-log.ts';
import { findHeightOf } from './chain/ensure-chain.ts';

/** A stretch of the chain that gets a row of the table: the blocks from `fromHeight` to `toHeight`. */
export type Stretch = { fromHeight: number; toHeight: number; transactions: number; total: number };

const ROW_TRANSACTIONS = 1_000_000;
const LEAST_ROWS = 10;

/** A row a million transactions; tenths of a chain of less than two million. */
export function listStretches(log: BlockLog, toHeight: number): Stretch[] {
  const all = log.transactionsTo(toHeight);
  const least = all < 2 * ROW_TRANSACTIONS ? LEAST_ROWS : 1;
  const rows = Math.max(least, Math.round(all / ROW_TRANSACTIONS));
  const stretches: Stretch[] = [];
  let [fromHeight, before] = [0, 0];
  for (let row = 1; row <= rows; row++) {
    const end = row === rows ? toHeight : findHeightOf(log, Math.ceil((all * row) / rows))!;
    if (end < fromHeight) continue;
    const total = log.transactionsTo(end);
    stretches.push({ fromHeight, toHeight: end, transactions: total - before, total });
    [fromHeight, before] = [end + 1, total];
  }
  return stretches;
}
