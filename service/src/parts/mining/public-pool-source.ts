/** public-pool's HTTP API: `/api/pool`, and `/api/info` for the best share. It publishes no list of miners. */

import type { FetchSource } from './miningcore-source.ts';
import type { PoolReading, PoolSource } from './pool-source.ts';
import { readCount, readFields, readHashrate, readItems, readNumberOrText } from './source-values.ts';

const SCORES_READ = 100;

/** Reads a public-pool server. Its list of blocks holds some that were refused, so blocks come from the chain alone. */
export function createPublicPoolSource(fetchJson: FetchSource): PoolSource {
  return {
    kind: 'public-pool',
    async read(signal) {
      const pool = await fetchJson('/api/pool', signal);
      const info = await fetchJson('/api/info', signal).catch(() => undefined);
      return parsePublicPool(pool, info);
    },
  };
}

/**
 * Parses both answers; the second may be missing.
 *
 * @throws Error when the first one describes no pool
 */
export function parsePublicPool(poolAnswer: unknown, infoAnswer: unknown): PoolReading {
  const pool = readFields(poolAnswer);
  if (!('totalHashRate' in pool || 'totalMiners' in pool)) throw new Error('The answer describes no pool.');
  const scores = (readItems(readFields(infoAnswer).highScores, SCORES_READ) ?? []).flatMap(
    (score) => readNumberOrText(readFields(score).bestDifficulty) ?? [],
  );
  return {
    writtenAtMs: undefined,
    hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: readHashrate(pool.totalHashRate) }],
    miners: undefined,
    // What it calls miners are connections, each of one machine.
    workers: readCount(pool.totalMiners),
    shareDifficulty: undefined,
    effort: undefined,
    bestShare: scores.length === 0 ? undefined : Math.max(...scores),
    minerList: undefined,
    isListComplete: false,
    blockEfforts: new Map(),
  };
}
