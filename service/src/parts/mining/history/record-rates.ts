/** Keeps what pools say, as long as they say it: a step without an answer stays empty. */

import type { Precious } from '../../../db/precious.ts';
import { judgeFreshness } from '../mining-rules.ts';
import type { PoolWatch } from '../watch-pool.ts';
import type { MiningHistoryTables } from './mining-tables.ts';
import { chooseSampled, maxKeptMiners, rateSteps } from './rate-rules.ts';
import { forgetMiners, keepRates } from './rate-store.ts';

export type RecorderOptions = {
  precious: Precious;
  /** '' for the main pool. */
  pool: string;
  watch: Pick<PoolWatch, 'current'>;
  /** Unix milliseconds. */
  now: () => number;
  /** The tip's median time, Unix seconds: a clock hours before it is wrong. Undefined while it is not known. */
  findChainTime: () => Promise<number | undefined>;
};

/** Blocks may be ahead of the time by so much: samples of a clock that is further behind would take away what is later. */
const CHAIN_AHEAD_S = 7_200;

/**
 * Creates what keeps the newest reading of a pool; called more often than a step is long it does nothing. Several processes may do it.
 *
 * @returns keeps, if there is something new. What it throws is tried again.
 */
export function createRateRecorder({
  precious,
  pool,
  watch,
  now,
  findChainTime,
}: RecorderOptions): () => Promise<void> {
  const kept = { pool: -1, miner: -1 };
  let hour = -1;
  return async () => {
    const { readings, failed } = watch.current();
    const [reading] = readings;
    const nowMs = now();
    const { observedAtMs, stale } = judgeFreshness({ reading, failed }, nowMs);
    if (reading === undefined || observedAtMs === undefined || stale) return;
    const atS = Math.floor(observedAtMs / 1_000);
    const stepOf = (whose: keyof typeof kept) => Math.floor(atS / rateSteps[whose][0]!.seconds);
    if (kept.pool === stepOf('pool') && kept.miner === stepOf('miner')) return;
    const chainTime = await findChainTime();
    if (chainTime === undefined || atS < chainTime - CHAIN_AHEAD_S) return;

    if (kept.pool !== stepOf('pool')) {
      const rate = chooseSampled(reading.hashrates);
      if (rate !== undefined) await keepRates(precious, pool, rateSteps.pool, atS, new Map([['', rate]]));
      kept.pool = stepOf('pool');
    }
    if (kept.miner !== stepOf('miner')) {
      const miners = (reading.minerList ?? []).slice(0, maxKeptMiners);
      const rates = miners.flatMap(({ key, hashrates }) => {
        const rate = chooseSampled(hashrates);
        return rate === undefined ? [] : [[key, rate] as const];
      });
      await keepRates(precious, pool, rateSteps.miner, atS, new Map(rates));
      kept.miner = stepOf('miner');
      const thisHour = Math.floor(atS / 3_600);
      if (hour !== thisHour) await forgetMiners(precious.query<MiningHistoryTables>(), pool);
      hour = thisHour;
    }
  };
}
