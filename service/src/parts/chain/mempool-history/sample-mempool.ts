import type { ReadChain } from '../../../chain/chain-reads.ts';
import type { Precious } from '../../../db/precious.ts';
import { sampleSteps } from './history-rules.ts';
import { keepSample } from './sample-store.ts';

export type SamplerOptions = {
  precious: Precious;
  readChain: ReadChain;
  /** Whether this process has the indexer, and the index now has all of the node's mempool. */
  isWhole: () => boolean;
  /** Unix milliseconds. */
  now: () => number;
};

const [{ seconds: SHORTEST_STEP }] = sampleSteps;

/**
 * Creates what looks at the mempool once in each shortest step; called more often it does nothing. What was not looked at is not made
 * up: a step in which the mempool was not known has no sample.
 *
 * @returns looks, if it is time. What it throws is tried again in the next step.
 */
export function createMempoolSampler({
  precious,
  readChain,
  isWhole,
  now,
}: SamplerOptions): () => Promise<void> {
  let looked: number | undefined;
  return async () => {
    const at = Math.floor(now() / 1_000);
    const step = Math.floor(at / SHORTEST_STEP);
    if (step === looked || !isWhole()) return;
    looked = step;
    const { txs, histogram, tip } = await readChain(async (view) => ({
      txs: view.mempool.txs,
      histogram: await view.getFeeHistogram(),
      tip: view.tip,
    }));
    // A clock before the chain's own time is wrong, and samples that are later than it would be taken for its mistakes.
    if (tip === undefined || at < tip.medianTimePast) return;
    await keepSample(precious, {
      at,
      txs,
      rates: histogram.map(({ feeRateMilliSatsPerVb, vsize }) => [feeRateMilliSatsPerVb, vsize]),
    });
  };
}
