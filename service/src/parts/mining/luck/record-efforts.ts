/** Keeps what blocks of the main pool took: pools forget it, or count anew with each block. */

import { difficultyOf, type ReadChain } from '../../../chain/chain-reads.ts';
import type { Precious } from '../../../db/precious.ts';
import type { MiningHistoryTables } from '../history/mining-tables.ts';
import { judgeFreshness } from '../mining-rules.ts';
import { listPoolBlocks } from '../pool-block-store.ts';
import type { MiningTables } from '../seen-block-store.ts';
import type { KeptReading, PoolWatch } from '../watch-pool.ts';
import { findEfforts, keepEfforts, listSeenBetween } from './effort-store.ts';
import { judgeRound, listReportedEfforts, type RoundReading } from './luck-rules.ts';

export type EffortRecorderOptions = {
  precious: Precious;
  readChain: ReadChain;
  watch: Pick<PoolWatch, 'current'>;
  /** Unix milliseconds. */
  now: () => number;
};

/** Blocks of the chain that a report is compared with. */
const BLOCKS_COMPARED = 200;

/**
 * Creates what looks at each new reading. Several processes may do it.
 *
 * @returns keeps efforts, if there are new ones
 */
export function createEffortRecorder({
  precious,
  readChain,
  watch,
  now,
}: EffortRecorderOptions): () => Promise<void> {
  let before: RoundReading | undefined;
  let readAtMs: number | undefined;

  async function keepReported(reading: KeptReading): Promise<void> {
    const reported = listReportedEfforts(reading);
    if (reported.size === 0) return;
    const db = precious.query<MiningHistoryTables>();
    const kept = await findEfforts(db, [...reported.keys()]);
    const isNew = (hash: string) => kept.get(hash)?.kind !== 'reported';
    if (![...reported.keys()].some(isNew)) return;
    const blocks = await readChain(async ({ reader, tip }) =>
      tip === undefined ? [] : await listPoolBlocks(reader, tip.height + 1, BLOCKS_COMPARED),
    );
    const rows = blocks.flatMap(({ hash, height }) => {
      const effort = reported.get(hash);
      return effort === undefined || !isNew(hash)
        ? []
        : [{ hash, height, effort, kind: 'reported' as const }];
    });
    if (rows.length > 0) await keepEfforts(db, rows);
  }

  async function keepObserved(earlier: RoundReading, later: RoundReading): Promise<void> {
    if (earlier.shareDifficulty === undefined) return;
    const seen = await listSeenBetween(
      precious.query<MiningTables>(),
      earlier.observedAtMs,
      later.observedAtMs,
    );
    const [only] = seen;
    if (only === undefined || seen.length > 1) return;
    const block = await readChain((view) => view.findBlockAt(only.height));
    if (block === undefined) return;
    const effort = judgeRound(earlier, later, [{ seenAtMs: only.seenAtMs, difficulty: difficultyOf(block) }]);
    if (effort === undefined) return;
    const { hash, height } = only;
    await keepEfforts(precious.query<MiningHistoryTables>(), [{ hash, height, effort, kind: 'observed' }]);
  }

  return async () => {
    const { readings, failed } = watch.current();
    const [reading] = readings;
    if (reading === undefined || reading.readAtMs === readAtMs) return;
    const { observedAtMs, stale } = judgeFreshness({ reading, failed }, now());
    if (stale || observedAtMs === undefined) return;
    await keepReported(reading);
    if (observedAtMs !== before?.observedAtMs) {
      const after = { observedAtMs, shareDifficulty: reading.shareDifficulty, hashrates: reading.hashrates };
      if (before !== undefined) await keepObserved(before, after);
      before = after;
    }
    readAtMs = reading.readAtMs;
  };
}
