import { countTransactions, type TxCount } from '../node/count-transactions.ts';
import { findLag } from '../parts/chain/health-rules.ts';
import {
  createSyncWatch,
  formatProgress,
  type SyncProgress,
  type SyncSample,
  type SyncTarget,
} from '../parts/chain/sync-progress.ts';
import { startPoller } from '../poll.ts';
import type { Ground } from './ground.ts';
import type { Wired } from './wired.ts';

const LOOK_MS = 2_000;
const LOG_MS = 60_000;
/** Estimating costs some dozen calls, and the target grows little while a sync lasts. */
const ESTIMATE_MS = 10 * 60_000;
/** A service that is fewer blocks behind catches up before anybody could plan by it. */
const LEAST_LAG_BLOCKS = 11;

/**
 * Watches the index while it is behind the node, for `/health`, and where this process indexes for the log. It looks at the
 * index itself, so it also tells of an indexer in another process.
 */
export function wireSync({
  config,
  logger,
  node,
  indexer,
  storage,
}: Ground): Wired & { findProgress: () => SyncProgress | undefined } {
  const watch = createSyncWatch();
  let progress: SyncProgress | undefined;
  let loggedMs = Date.now();
  let counted: TxCount | undefined;
  let countedMs = 0;

  const findTarget = async (sample: SyncSample, height: number): Promise<SyncTarget> => {
    const isCurrent =
      counted?.height === height || (counted?.isEstimate && sample.atMs - countedMs < ESTIMATE_MS);
    if (!isCurrent) {
      countedMs = sample.atMs;
      counted = await countTransactions(node.client, height, sample).catch(() => counted);
    }
    return { height, txs: counted?.txs, isEstimate: counted?.isEstimate ?? false };
  };

  const look = async (): Promise<void> => {
    const tip = await storage.readChain(async (view) => view.tip);
    const state = node.state.current();
    const lag = findLag(state, indexer?.findReport(), tip?.height ?? -1);
    if (lag === undefined) return;
    if (lag < LEAST_LAG_BLOCKS) {
      watch.end();
      progress = undefined;
      return;
    }
    const sample = { atMs: Date.now(), height: tip?.height ?? -1, txs: tip?.totals.txs ?? 0 };
    watch.note(sample);
    progress = watch.describe(await findTarget(sample, state.value!.blocks));
    if (!config.roles.has('indexer') || !progress || sample.atMs - loggedMs < LOG_MS) return;
    loggedMs = sample.atMs;
    logger.info({ sync: progress }, formatProgress(progress));
  };
  const poller = startPoller({ read: look, intervalMs: LOOK_MS, describeError: () => 'index_unavailable' });
  return {
    findProgress: () => (poller.current().error === undefined ? progress : undefined),
    close: poller.stop,
  };
}
