/** Figures of the chain over time: which blocks a point stands for, and what it says of them. No I/O. */

import type { SeriesPointJson } from '@coinfront/api/chain-series.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { decodeRateTotals, emptyRateTotals } from '../../chain/block-fee-rates.ts';
import { difficultyOf } from '../../chain/chain-reads.ts';
import type { BlockRecord } from '../../chain/chain-view.ts';
import { formatHashrate } from '../../chain/network-hashrate.ts';
import { formatTime } from './serialise-block.ts';

/** How the blocks of a span are divided. */
export type SeriesPlan = {
  /** The first block of the first point. */
  from: number;
  blocksPerPoint: number;
  /** The last block of each point, ascending. */
  ends: number[];
};

/**
 * Divides the blocks from one height to another into points at most so many. A point has 1, 2 or 5 times a power of ten blocks and begins at
 * a multiple of that, so that a point of blocks that are all there says the same whatever was asked around it.
 */
export function planSeries(fromHeight: number, toHeight: number, points: number): SeriesPlan {
  const most = Math.max(1, points);
  let blocksPerPoint = 1;
  for (let i = 0; countPoints(fromHeight, toHeight, blocksPerPoint) > most; i++)
    blocksPerPoint = [2, 5, 10][i % 3]! * 10 ** Math.floor(i / 3);
  const from = Math.floor(fromHeight / blocksPerPoint) * blocksPerPoint;
  const ends: number[] = [];
  for (let end = from + blocksPerPoint - 1; end < toHeight; end += blocksPerPoint) ends.push(end);
  ends.push(toHeight);
  return { from, blocksPerPoint, ends };
}

function countPoints(fromHeight: number, toHeight: number, blocksPerPoint: number): number {
  return Math.floor(toHeight / blocksPerPoint) - Math.floor(fromHeight / blocksPerPoint) + 1;
}

/**
 * What is to be said of the blocks above `before` up to `last`. All of it is the difference of two totals, or a figure of the last block.
 *
 * @param before undefined where the first of the blocks is genesis: nothing says how long that took, so interval and hashrate are unknown
 */
export function describePoint(
  before: BlockRecord | undefined,
  last: BlockRecord,
  decimals: number,
): SeriesPointJson {
  const blocks = last.height - (before?.height ?? -1);
  const seconds = before && last.medianTimePast - before.medianTimePast;
  const since = (pick: (block: BlockRecord) => bigint): bigint =>
    pick(last) - (before === undefined ? 0n : pick(before));
  const count = (pick: (block: BlockRecord) => number): number =>
    pick(last) - (before === undefined ? 0 : pick(before));
  const fees = since(({ totals }) => totals.fees);
  const weight = count(({ totals }) => totals.weight);
  return {
    height: last.height,
    blocks,
    time: formatTime(last.medianTimePast),
    block_interval_seconds: seconds === undefined ? null : seconds / blocks,
    difficulty: difficultyOf(last),
    hashes_per_second: formatHashrate(
      seconds === undefined || seconds <= 0
        ? undefined
        : (since(({ chainwork }) => chainwork) * 1_000n) / BigInt(seconds),
    ),
    tx_count: count(({ totals }) => totals.txs),
    size: count(({ totals }) => totals.size),
    weight,
    fees: formatAmount(fees, decimals),
    per_vb: formatAmount((fees * 4_000n) / BigInt(weight), 3),
    fee_rates: describeRates(before, last),
    issued: formatAmount(
      since(({ totals }) => totals.issued),
      decimals,
    ),
    supply: formatAmount(last.totals.issued, decimals),
    utxo_count: last.totals.utxos,
  };
}

function describeRates(before: BlockRecord | undefined, last: BlockRecord): SeriesPointJson['fee_rates'] {
  const from = before === undefined ? emptyRateTotals : decodeRateTotals(before.totals.rates);
  const to = decodeRateTotals(last.totals.rates);
  const blocks = BigInt(to.blocks - from.blocks);
  if (blocks === 0n) return null;
  const [p10 = '', p25 = '', median = '', p75 = '', p90 = ''] = to.sums.map((sum, i) =>
    formatAmount((sum - from.sums[i]!) / blocks, 3),
  );
  return { p10, p25, median, p75, p90 };
}
