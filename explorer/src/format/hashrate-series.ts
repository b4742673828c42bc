/** The network's hashrate from the headers of neighbouring blocks. */

/** What is needed of a block. */
export type MinedBlock = { height: number; time: string; difficulty: number };

/** Hashes that a block of difficulty 1 takes on average. */
const HASHES_PER_DIFFICULTY = 2 ** 32;

/**
 * The hashrate at each block, over the `window` blocks up to it: their work, by the time between the header times at
 * their ends. Where these do not grow the rate is unknown and left out.
 *
 * @param blocks - in any order, without gaps
 */
export function estimateHashrates(
  blocks: readonly MinedBlock[],
  window: number,
): { heights: number[]; values: number[] } {
  const sorted = [...blocks].sort((a, b) => a.height - b.height);
  const heights: number[] = [];
  const values: number[] = [];
  for (let end = window; end < sorted.length; end += 1) {
    const mined = sorted.slice(end - window + 1, end + 1);
    const seconds = (Date.parse(sorted[end]!.time) - Date.parse(sorted[end - window]!.time)) / 1000;
    if (seconds <= 0) continue;
    const work = mined.reduce((sum, { difficulty }) => sum + difficulty, 0) * HASHES_PER_DIFFICULTY;
    heights.push(sorted[end]!.height);
    values.push(work / seconds);
  }
  return { heights, values };
}
