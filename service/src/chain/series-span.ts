/** Where figures over time begin, and which of very many things they are told by. */

import type { SeriesRange } from '@coinfront/api/chain-series.ts';
import { AppError } from '../errors.ts';
import type { BlockRecord, ChainView } from './chain-view.ts';
import { findHeightSince } from './find-height-since.ts';

const DAY_S = 86_400;

/** Seconds back from the tip; all of the chain is without end. */
const rangeSeconds: Readonly<Record<SeriesRange, number>> = {
  '1d': DAY_S,
  '3d': 3 * DAY_S,
  '1w': 7 * DAY_S,
  '1m': 30 * DAY_S,
  '3m': 90 * DAY_S,
  '6m': 180 * DAY_S,
  '1y': 365 * DAY_S,
  '3y': 3 * 365 * DAY_S,
  all: Number.POSITIVE_INFINITY,
};

/** What a request says of the blocks that it wants. */
export type SpanQuery = { range?: SeriesRange; from_height?: number; to_height?: number };

/**
 * The blocks from `from` to `to`, both included, that a request wants.
 *
 * @param usual the range unless it says any
 * @throws AppError invalid_parameter
 */
export async function findSpan(
  view: ChainView,
  tip: BlockRecord,
  { range, from_height: from, to_height: to }: SpanQuery,
  usual: SeriesRange,
): Promise<{ from: number; to: number }> {
  if (from === undefined && to === undefined)
    return { from: await findRangeStart(view, tip, range ?? usual), to: tip.height };
  if (range !== undefined)
    throw new AppError('invalid_parameter', 'range is given beside a height: give one of the two.');
  const span = { from: from ?? 0, to: Math.min(to ?? tip.height, tip.height) };
  if (span.from > span.to)
    throw new AppError(
      'invalid_parameter',
      `from_height is ${span.from}, above the last block of the span, ${span.to}: begin at or below it.`,
    );
  return span;
}

/** The first block of a range back from the tip. */
async function findRangeStart(view: ChainView, tip: BlockRecord, range: SeriesRange): Promise<number> {
  return (await findHeightSince(view, tip, tip.medianTimePast - rangeSeconds[range])) ?? tip.height;
}

/** So many numbers at most from the first to the last one, about as far from one another; the last one is among them. */
export function pickEvenly(first: number, last: number, most: number): number[] {
  if (most < 1) return [];
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const picked: number[] = [];
  for (let number = last; number >= first; number -= step) picked.push(number);
  return picked.reverse();
}

/**
 * What was so behind some blocks of the best chain, as points in its order. Each has the median time past of its block.
 *
 * @param values by height
 */
export async function describeBehindBlocks<V>(
  view: ChainView,
  values: ReadonlyMap<number, V>,
): Promise<{ height: number; time: string; value: V }[]> {
  const blocks = await view.listBlocksAt([...values.keys()].sort((a, b) => a - b));
  return blocks.map(({ height, medianTimePast }) => ({
    height,
    time: new Date(medianTimePast * 1_000).toISOString(),
    value: values.get(height)!,
  }));
}
