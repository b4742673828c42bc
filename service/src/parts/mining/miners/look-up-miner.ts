/** Asks a pool for one miner: seldom enough for the pool, and not for long. */

import type { PoolSource, SourceMinerDetail } from '../pool-source.ts';

/** What a pool said of a miner, and when. */
export type MinerAnswer = { detail: SourceMinerDetail; readAtMs: number };

/** Undefined when the pool did not answer in time, knows no such miner, or is asked by too many at once. Never rejects. */
export type MinerLookup = (key: string) => Promise<MinerAnswer | undefined>;

/** An answer is kept for so long, also that there is none. */
const KEPT_MS = 30_000;
const MAX_KEPT = 500;
/** Questions at a time; who comes when as many are open is told nothing. */
const MAX_OPEN = 8;
const TIMEOUT_MS = 4_000;

/** Creates the questions to one pool. */
export function createMinerLookup(source: Pick<PoolSource, 'readMiner'>, now: () => number): MinerLookup {
  const kept = new Map<string, { untilMs: number; answer: Promise<MinerAnswer | undefined> }>();
  let open = 0;

  async function ask(key: string): Promise<MinerAnswer | undefined> {
    open += 1;
    try {
      return { detail: await source.readMiner(key, AbortSignal.timeout(TIMEOUT_MS)), readAtMs: now() };
    } catch {
      return undefined;
    } finally {
      open -= 1;
    }
  }

  return (key) => {
    const found = kept.get(key);
    if (found !== undefined && now() < found.untilMs) return found.answer;
    if (open >= MAX_OPEN) return Promise.resolve(undefined);
    const answer = ask(key);
    kept.delete(key);
    kept.set(key, { untilMs: now() + KEPT_MS, answer });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return answer;
  };
}
