/** Effort and luck of a pool's blocks. Whatever is made of something unknown is unknown. */

import { chooseSampled } from '../history/rate-rules.ts';
import { findLuck, staleAfterMs } from '../mining-rules.ts';
import type { PoolReading } from '../pool-source.ts';

/** Hashes that a difficulty of 1 stands for. */
const HASHES_PER_DIFFICULTY = 2 ** 32;
/** The part of a round that may be reckoned from the hashrate, since the pool wrote nothing while it ran. */
const MOST_RECKONED = 0.25;

/** The efforts that a pool reports, by the hash of the block in display order. */
export function listReportedEfforts({ blocks }: Pick<PoolReading, 'blocks'>): Map<string, number> {
  return new Map(
    blocks?.flatMap(({ hash, effort }): [string, number][] =>
      hash === undefined || effort === undefined ? [] : [[hash, effort]],
    ),
  );
}

/** What is used of a reading. */
export type RoundReading = Pick<PoolReading, 'shareDifficulty' | 'hashrates'> & { observedAtMs: number };

/** A block of the pool that was seen between two readings. */
export type SeenRound = { seenAtMs: number; difficulty: number };

/**
 * The effort of a block of a pool that counts shares since its last block: the count before the block came, and what the hashrate adds from then to
 * the block. Unknown unless exactly one block came between two readings, the count began anew, and what is added is the smaller part.
 */
export function judgeRound(
  before: RoundReading,
  after: RoundReading,
  blocks: readonly SeenRound[],
): number | undefined {
  const [block] = blocks;
  const rate = chooseSampled(before.hashrates);
  const counted = before.shareDifficulty;
  if (block === undefined || blocks.length > 1 || rate === undefined || !(block.difficulty > 0))
    return undefined;
  if (counted === undefined || after.shareDifficulty === undefined || after.shareDifficulty >= counted)
    return undefined;
  if (after.observedAtMs - before.observedAtMs > staleAfterMs) return undefined;
  const seconds = Math.max(0, block.seenAtMs - before.observedAtMs) / 1_000;
  const added = (Number(rate) / 1_000 / HASHES_PER_DIFFICULTY) * seconds;
  const shares = counted + added;
  return added <= shares * MOST_RECKONED ? shares / block.difficulty : undefined;
}

/** Windows of blocks that luck is told over. */
export const luckWindows = [10, 50, 100, 500] as const;

/** Luck over some blocks: how many there are by the efforts that they took together. */
export function meanLuck(efforts: readonly (number | undefined)[]): {
  known: number;
  effort: number | undefined;
  luck: number | undefined;
} {
  const known = efforts.filter((effort) => effort !== undefined);
  const effort = known.length === 0 ? undefined : known.reduce((sum, each) => sum + each, 0) / known.length;
  return { known: known.length, effort, luck: findLuck(effort) };
}
