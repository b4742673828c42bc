import { BLOCK_VSIZE, blockBehind } from '@coinfront/protocol/mempool-blocks.ts';
import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { FEE_STEPS, type MempoolSummary } from '../indexer/mempool/mempool-summary.ts';
import type { ProjectedBlock } from './chain-view.ts';

/** Projected blocks of one revision that were read, by number. */
export type ProjectedBlockMemory = Map<number, Promise<ProjectedBlock>>;

/** Transactions of one block that are listed: a block of the usual ones has 2,000 to 5,000. */
const MOST_PROJECTED_TXS = 10_000;

/** Virtual bytes that no transaction is below: an input and an output of nothing. */
const LEAST_VSIZE = 60;
/** Above all rates: JSON and SQL have no infinity. */
const NO_BOUND = 1e300;

/** Reckoned as `countInSummary` does, so that transactions are in the steps in which they were counted. */
const RATE = 'cast(fee as double precision) * 1000 / ((weight + 3) / 4)';
const LIST_BY_RATE = sql<{ txid: Uint8Array; weight: bigint; fee: bigint }>(
  `select txid, weight, fee from mempool_tx where ${RATE} >= $1 and ${RATE} < $2 order by ${RATE} desc, id limit $3`,
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
    txs: 0,
    vsize: 0,
    fees: 0n,
    listed: [],
  };
  const span = findSteps(summary, number);
  if (span === undefined) return block;
  const { fromRate, belowRate, txs } = span;
  let { above } = span;
  // Those of the block above that are in the first of its steps have to be read, too.
  const most = Math.min(txs, Math.ceil((number * BLOCK_VSIZE - above) / LEAST_VSIZE));
  for (const { txid, weight, fee } of await reader.all(LIST_BY_RATE, [fromRate, belowRate, most])) {
    const vsize = Math.ceil(Number(weight) / 4);
    const at = blockBehind(above);
    if (at > number) break;
    above += vsize;
    if (at < number) continue;
    block.txs += 1;
    block.vsize += vsize;
    block.fees += fee;
    if (block.listed.length < MOST_PROJECTED_TXS) block.listed.push({ txid, vsize, fee });
  }
  return block;
}

/** The steps that a block has parts of, and what lies above them; undefined where the mempool does not reach so far. */
function findSteps({ steps }: MempoolSummary, number: number) {
  const [start, end] = [(number - 1) * BLOCK_VSIZE, number * BLOCK_VSIZE];
  let above = 0;
  let found: { fromRate: number; belowRate: number; txs: number; above: number } | undefined;
  for (const [step, { vsize, txs }] of [...steps].sort(([a], [b]) => b - a)) {
    if (above >= end) break;
    if (above + vsize > start) {
      found ??= { fromRate: 0, belowRate: FEE_STEPS[step + 1] ?? NO_BOUND, txs: 0, above };
      found.fromRate = FEE_STEPS[step]!;
      found.txs += txs;
    }
    above += vsize;
  }
  return found;
}
