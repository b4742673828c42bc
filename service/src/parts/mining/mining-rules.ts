/** Figures of a pool. Whatever is made of something unknown is unknown. */

import type { PoolReading, SourceHashrate, SourceMiner, SourceWorker } from './pool-source.ts';

const DAY_SECONDS = 86_400;

/** Windows by how well they say what a pool does: an hour is neither noise nor history. */
const preferredWindows = [3_600, 21_600, 86_400, 900, 600, 300, 60, 604_800];

/** The hashrate that estimates are made with. */
export function chooseHashrate(hashrates: readonly SourceHashrate[]): SourceHashrate | undefined {
  const known = hashrates.filter(({ milliHashesPerSecond }) => milliHashesPerSecond !== undefined);
  for (const window of preferredWindows) {
    const found = known.find(({ windowSeconds }) => windowSeconds === window);
    if (found) return found;
  }
  return known[0];
}

/** Effort since the last block: by the source, or share difficulty / network difficulty. */
export function findEffort(
  { effort, shareDifficulty }: Pick<PoolReading, 'effort' | 'shareDifficulty'>,
  networkDifficulty: number,
): number | undefined {
  if (effort !== undefined) return effort;
  if (shareDifficulty === undefined || !(networkDifficulty > 0)) return undefined;
  return finite(shareDifficulty / networkDifficulty);
}

/** Luck of a block: the reciprocal of its effort. */
export function findLuck(effort: number | undefined): number | undefined {
  return effort === undefined || effort === 0 ? undefined : finite(1 / effort);
}

/**
 * Average seconds to a block; unknown at a hashrate of 0, where it never comes.
 *
 * @param blockWork - expected hashes of a block
 */
export function expectSeconds(
  blockWork: bigint,
  milliHashesPerSecond: bigint | undefined,
): number | undefined {
  if (!milliHashesPerSecond) return undefined;
  return finite((Number(blockWork) * 1000) / Number(milliHashesPerSecond));
}

/** Chance of at least one block in a day: blocks come as a Poisson process, which has no memory. */
export function chancePerDay(expectedSeconds: number | undefined): number | undefined {
  return expectedSeconds === undefined ? undefined : -Math.expm1(-DAY_SECONDS / expectedSeconds);
}

/** A pool's hashrate as a part of the network's. */
export function estimateShare(pool: bigint | undefined, network: bigint | undefined): number | undefined {
  if (pool === undefined || !network) return undefined;
  return finite(Number(pool) / Number(network));
}

/** Highest hashrate first, unknown ones last; miners of one hashrate by their address. */
export function orderMiners(miners: readonly SourceMiner[]): SourceMiner[] {
  const rates = new Map(
    miners.map((miner) => [miner, chooseHashrate(miner.hashrates)?.milliHashesPerSecond ?? -1n]),
  );
  return miners.toSorted((a, b) => {
    const difference = rates.get(b)! - rates.get(a)!;
    if (difference !== 0n) return difference > 0n ? 1 : -1;
    return a.address < b.address ? -1 : Number(a.address > b.address);
  });
}

/** Machines of one miner, highest hashrate first. */
export function orderWorkers(workers: readonly SourceWorker[]): SourceWorker[] {
  const rateOf = ({ hashrates }: SourceWorker) => chooseHashrate(hashrates)?.milliHashesPerSecond ?? -1n;
  return workers.toSorted((a, b) => Number(rateOf(b) - rateOf(a)));
}

/** From when on a source that says nothing new is stale: ckpool writes every minute. */
export const staleAfterMs = 300_000;

/**
 * When a source was observed, and whether that is stale. A clock that is ahead does not make a source fresh for longer
 * than its last reading.
 */
export function judgeFreshness(
  state: { reading: { writtenAtMs: number | undefined; readAtMs: number } | undefined; failed: boolean },
  nowMs: number,
): { observedAtMs: number | undefined; stale: boolean } {
  if (state.reading === undefined) return { observedAtMs: undefined, stale: true };
  const { writtenAtMs, readAtMs } = state.reading;
  const observedAtMs = Math.min(writtenAtMs ?? readAtMs, readAtMs);
  return { observedAtMs, stale: state.failed || nowMs - observedAtMs > staleAfterMs };
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
