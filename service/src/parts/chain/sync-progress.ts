/** How far a sync has come, how fast it goes, and how long it will take: pure rules on what was seen of the index. */

/** The index at a moment. */
export type SyncSample = { atMs: number; height: number; txs: number };

/** What the node's chain has; `txs` is undefined while that is not known, and an estimate where the node does not tell. */
export type SyncTarget = { height: number; txs: number | undefined; isEstimate: boolean };

/** A sync under way. What is undefined is not known. */
export type SyncProgress = {
  height: number;
  txs: number;
  target: SyncTarget;
  /** Of the transactions of the target that are indexed, 0 to 1. */
  share: number | undefined;
  txsPerSecond: number | undefined;
  secondsLeft: number | undefined;
  /** When the first look at it was, milliseconds since 1970. */
  sinceMs: number;
};

/** Looks at the index of a sync under way. */
export type SyncWatch = {
  note(sample: SyncSample): void;
  /** Undefined until there was a look. */
  describe(target: SyncTarget): SyncProgress | undefined;
  /** The sync has ended. */
  end(): void;
};

/** The pace is that of the last two minutes: a sync commits every few seconds, and what blocks are made of changes. */
const PACE_WINDOW_MS = 120_000;
/** Of less nothing is told. */
const LEAST_WINDOW_MS = 10_000;

/** Creates a watch that has seen nothing. */
export function createSyncWatch(): SyncWatch {
  let samples: SyncSample[] = [];
  let sinceMs = 0;
  return {
    note(sample) {
      if (samples.length === 0) sinceMs = sample.atMs;
      const oldestMs = sample.atMs - PACE_WINDOW_MS;
      samples = [...samples.filter(({ atMs }) => atMs >= oldestMs && atMs <= sample.atMs), sample];
    },
    describe(target) {
      const last = samples.at(-1);
      if (!last) return undefined;
      const { height, txs } = last;
      const txsPerSecond = findPace(samples);
      const left = target.txs === undefined ? 0 : target.txs - txs;
      return {
        height,
        txs,
        target,
        // An estimate may have been too low: then nobody knows.
        share: left > 0 ? txs / target.txs! : undefined,
        txsPerSecond,
        secondsLeft: left > 0 && txsPerSecond ? left / txsPerSecond : undefined,
        sinceMs,
      };
    },
    end() {
      samples = [];
    },
  };
}

/** Transactions a second, from the first advance seen to the last; undefined before there were two far enough apart. */
function findPace(samples: readonly SyncSample[]): number | undefined {
  const first = samples[0]!;
  const last = samples.at(-1)!;
  if (last.atMs - first.atMs < LEAST_WINDOW_MS) return undefined;
  return Math.max(0, last.txs - first.txs) / ((last.atMs - first.atMs) / 1_000);
}

/** One line for the log: `Indexed 1,250,000 of 30,000,000 transactions (4.2 %), block 500 of 12,000; …`. */
export function formatProgress({
  height,
  txs,
  target,
  share,
  txsPerSecond,
  secondsLeft,
}: SyncProgress): string {
  const known =
    target.txs === undefined || share === undefined
      ? `${formatCount(txs)} transactions`
      : `${formatCount(txs)} of ${target.isEstimate ? 'about ' : ''}${formatCount(target.txs)} transactions (${(share * 100).toFixed(1)} %)`;
  const pace = txsPerSecond === undefined ? '' : `; ${formatCount(txsPerSecond)} transactions a second`;
  const left = secondsLeft === undefined ? '' : `, about ${formatDuration(secondsLeft)} left`;
  return `Indexed ${known}, block ${formatCount(height)} of ${formatCount(target.height)}${pace}${left}.`;
}

function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
