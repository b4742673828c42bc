import type { ChainContext } from '../parts/chain/chain-context.ts';
import { describeHistory, planHistory } from '../parts/chain/mempool-history/history-rules.ts';
import { createMempoolSampler } from '../parts/chain/mempool-history/sample-mempool.ts';
import { listSamples } from '../parts/chain/mempool-history/sample-store.ts';
import { startPoller } from '../poll.ts';
import { type Ground, logFailure } from './ground.ts';
import type { Wired } from './wired.ts';

/** How soon after its beginning a step is looked at. */
const LOOK_MS = 2_000;

/** The mempool over time: written by the process whose indexer is at work, read by all. */
export function wireMempoolHistory(ground: Ground): Wired & { read: ChainContext['readMempoolHistory'] } {
  const { indexer, storage } = ground;
  const { precious, readPrimary } = storage;
  const onError = logFailure(ground, 'The mempool could not be recorded');
  const sample =
    indexer &&
    createMempoolSampler({
      precious,
      readChain: readPrimary,
      isWhole: () => {
        // None while another process' indexer is at work.
        const report = indexer.findReport();
        return report?.state.kind === 'ready' && report.mempoolComplete;
      },
      now: Date.now,
    });
  const poller =
    sample &&
    startPoller({
      read: () => sample().catch(onError),
      intervalMs: LOOK_MS,
      describeError: () => 'index_unavailable',
    });
  return {
    async read(range) {
      const plan = planHistory(range, Math.floor(Date.now() / 1_000));
      return describeHistory(plan, await listSamples(precious, plan.kept, plan.from, plan.to));
    },
    finish: () => poller?.stop(),
  };
}
