import { setImmediate as nextTurn } from 'node:timers/promises';
import { BLOCK_VSIZE, blockBehind } from '@coinfront/protocol/mempool-blocks.ts';
import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { FEE_STEPS, type MempoolSummary } from '../indexer/mempool/mempool-summary.ts';
import type { ProjectedBlock } from './chain-view.ts';

/** Projected blocks of one revision that were read, by number. */
export type ProjectedBlockMemory = Map<number, Promise<ProjectedBlock>>;

/** Transactions of one block that are listed: a block of the usual ones has 2,000 to 5,000. */
const MOST_PROJECTED_TXS = 10_000;

/** Rows that are read without others between: 4 ms of them. */
const ROWS_AT_ONCE = 1_000;

type RateRow = { id: bigint; minus_rate: bigint; txid: Uint8Array; weight: bigint; fee: bigint };
const LIST_BY_RATE = sql<RateRow>(
  `select id, minus_rate, txid, weight, fee from mempool_tx
   where (minus_rate, id) > ($1, $2) and minus_rate <= $3 order by minus_rate, id limit $4`,
  { bigints: true },
);

/** See {@link ChainView.readProjectedBlock}; each block of a revision is read once. */
export function readProjectedBlock(
  reader: Reader,
  summary: MempoolSummary,
  memory: ProjectedBlockMemory,
  number: number,
): Promise<ProjectedBlock> {
  const known = memory.get(number);
  if (known !== undefined) return known;
  const reading = cutBlock(reader, summary, number);
  memory.set(number, reading);
  // One that failed is read again.
  reading.catch(() => memory.delete(number));
  return reading;
}

async function cutBlock(reader: Reader, summary: MempoolSummary, number: number): Promise<ProjectedBlock> {
  const block: ProjectedBlock = {
    blocks: Math.ceil(summary.vsize / BLOCK_VSIZE),
    rowsRead: 0,
    txs: 0,
    vsize: 0,
    fees: 0n,
    listed: [],
  };
  const span = findSteps(summary, number);
  if (span === undefined) return block;
  let { above, txs: left } = span;
  // Behind all that pay as much as the next higher step, or more; before all where there is none.
  let after: [minusRate: number | bigint, id: number | bigint] =
    span.belowRate === undefined
      ? [-Number.MAX_SAFE_INTEGER, -1]
      : [-span.belowRate, Number.MAX_SAFE_INTEGER];
  while (left > 0) {
    const limit = Math.min(left, ROWS_AT_ONCE);
    const rows = await reader.all(LIST_BY_RATE, [...after, 0 - span.fromRate, limit]);
    for (const { txid, weight, fee } of rows) {
      const vsize = Math.ceil(Number(weight) / 4);
      const at = blockBehind(above);
      if (at > number) return block;
      above += vsize;
      block.rowsRead += 1;
      if (at < number) continue;
      block.txs += 1;
      block.vsize += vsize;
      block.fees += fee;
      if (block.listed.length < MOST_PROJECTED_TXS) block.listed.push({ txid, vsize, fee });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) break;
    after = [last.minus_rate, last.id];
    left -= rows.length;
    await nextTurn();
  }
  return block;
}

/** The steps that a block has parts of, and what lies above them; undefined where the mempool does not reach so far. */
function findSteps({ steps }: MempoolSummary, number: number) {
  const [start, end] = [(number - 1) * BLOCK_VSIZE, number * BLOCK_VSIZE];
  let above = 0;
  let found: { fromRate: number; belowRate: number | undefined; txs: number; above: number } | undefined;
  for (const [step, { vsize, txs }] of [...steps].sort(([a], [b]) => b - a)) {
    if (above >= end) break;
    if (above + vsize > start) {
      found ??= { fromRate: 0, belowRate: FEE_STEPS[step + 1], txs: 0, above };
      found.fromRate = FEE_STEPS[step]!;
      found.txs += txs;
    }
    above += vsize;
  }
  return found;
}
