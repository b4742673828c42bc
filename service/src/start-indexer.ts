import { Worker } from 'node:worker_threads';
import { isDamage } from './db/damage.ts';
import type { FollowReport } from './indexer/follow/follow.ts';
import { createLeaseMemory, forgetLease, LEASE_MS, readLease } from './indexer/revision-lease.ts';
import type { IndexerMessage, IndexerRequest, IndexerThreadData } from './indexer-thread.ts';

/** The indexer in its own thread, so that indexing never holds up an answer. */
export type Indexer = {
  /** The latest report; undefined until the first, and so while another process' indexer is the one at work. */
  findReport(): FollowReport | undefined;
  /** What the index has, as {@link LeasedRevision} says; undefined while only the database knows. */
  findRevision(): string | undefined;
  /** The node has just taken a transaction from a client, who should see it soon; its display txid. */
  nameSent(txid: string): void;
  /** Lets the batch under way commit, then ends the thread; at the latest after `deadlineMs`, wherever it is then. */
  stop(deadlineMs?: number): Promise<void>;
};

/** What an indexer is started with. */
export type IndexerSettings = Omit<IndexerThreadData, 'lease'>;

export type IndexerEvents = {
  /** The thread ended by this error; it is started anew after a pause. */
  onCrash(error: Error, report: FollowReport): void;
  /** Another process indexes; this one takes over when that ends. */
  onStandby?(): void;
  /** What the node says of spent outputs is not believed any more, and why. */
  onDistrust?(reason: string): void;
  /** Called at each change of state, with the report that tells it. */
  onChange?(report: FollowReport): void;
  /** Called at each report: the index may have a new whole state. */
  onReport?(): void;
};

/** Room for young objects: measured in a first sync, with less collecting takes longer, and more gains nothing. */
const YOUNG_MB = 24;
/**
 * Far more than it needs. Below 2 GB V8 lets a heap grow to twice what is in use before it collects it, above to four times: a first sync of nearly empty
 * blocks took 0.82 to 0.88 GB instead of 0.96, others as much as before.
 */
const OLD_MB = 2_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const STOP_DEADLINE_MS = 10_000;
/** So early that the answer comes before the time is over. */
const RENEW_BELOW_MS = 0.75 * LEASE_MS;
const RENEW_PAUSE_MS = 50;

/**
 * Starts the indexer's thread, and starts it anew when it ends by an error: every commit of its is whole, so it goes on
 * from the last one. Pauses between starts double while it does not get to work.
 */
export function startIndexer(data: IndexerSettings, events: IndexerEvents): Indexer {
  const lease = createLeaseMemory();
  /** When the thread was last asked to answer for what it has told. */
  let renewedMs = 0;
  let report: FollowReport | undefined;
  let crashes = 0;
  let stopping = false;
  let worker = run();

  const send = (request: IndexerRequest): void => worker.thread.postMessage(request);

  function run(): { thread: Worker; ended: Promise<void> } {
    report = undefined;
    const thread = new Worker(new URL('./indexer-thread.ts', import.meta.url), {
      workerData: { ...data, lease } satisfies IndexerThreadData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
    });
    let failure = new Error('The thread ended without an error.');
    thread.on('message', (message: IndexerMessage) => {
      if (message.kind === 'standing_by') {
        crashes = 0;
        events.onStandby?.();
        return;
      }
      if (message.kind === 'distrust') {
        events.onDistrust?.(message.reason);
        return;
      }
      const { kind } = message.report.state;
      const changed = kind !== report?.state.kind;
      report = message.report;
      if (kind === 'ready') crashes = 0;
      if (changed) events.onChange?.(report);
      events.onReport?.();
    });
    thread.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    const ended = new Promise<void>((resolve) => {
      thread.once('exit', () => resolve());
    });
    void ended.then(() => {
      forgetLease(lease);
      if (!stopping) startAnew(failure);
    });
    return { thread, ended };
  }

  function startAnew(failure: Error): void {
    const { height = -1, nodeHeight } = report ?? {};
    const state = { kind: 'failed', message: failure.message, isDamaged: isDamage(failure) } as const;
    report = { state, height, nodeHeight, mempoolComplete: false };
    events.onCrash(failure, report);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** crashes);
    crashes++;
    setTimeout(() => {
      if (!stopping) worker = run();
    }, pauseMs).unref();
  }

  return {
    findReport: () => report,
    findRevision() {
      const { revision, leftMs } = readLease(lease);
      const nowMs = performance.now();
      if (leftMs < RENEW_BELOW_MS && nowMs >= renewedMs + RENEW_PAUSE_MS) {
        renewedMs = nowMs;
        send('renew');
      }
      return revision;
    },
    nameSent: (txid) => send({ sent: txid }),
    async stop(deadlineMs = STOP_DEADLINE_MS) {
      stopping = true;
      send('stop');
      // Safe at any moment: what is not committed never was.
      const timer = setTimeout(() => void worker.thread.terminate(), deadlineMs);
      await worker.ended;
      clearTimeout(timer);
    },
  };
}
