import { expect, test } from 'vitest';
import { createFixtureServer, fixtureFacts, polled } from '../../testing/fixture-server.ts';
import { createSyncWatch, formatProgress, type SyncTarget } from './sync-progress.ts';

const target: SyncTarget = { height: 12_000, txs: 30_000_000, isEstimate: false };

/** A watch that has looked every two seconds, the last time at `seconds`. */
function watchFor(seconds: number, txsAt: (second: number) => number) {
  const watch = createSyncWatch();
  for (let second = 0; second <= seconds; second += 2) {
    watch.note({ atMs: 1_000_000 + second * 1_000, height: second, txs: txsAt(second) });
  }
  return watch;
}

test('nothing is told before the index was looked at, nor after the sync has ended', () => {
  const watch = createSyncWatch();
  expect(watch.describe(target)).toBeUndefined();
  watch.note({ atMs: 5, height: -1, txs: 0 });
  expect(watch.describe(target)).toMatchObject({ height: -1, txs: 0, sinceMs: 5 });
  watch.end();
  expect(watch.describe(target)).toBeUndefined();
});

test('pace and time left are told after ten seconds, by transactions', () => {
  const early = watchFor(8, (second) => second * 50_000).describe(target);
  expect(early).toMatchObject({ txsPerSecond: undefined, secondsLeft: undefined });
  expect(watchFor(100, (second) => second * 50_000).describe(target)).toMatchObject({
    txs: 5_000_000,
    share: 1 / 6,
    txsPerSecond: 50_000,
    secondsLeft: 500,
  });
});

test('the pace is that of the last two minutes', () => {
  const slower = watchFor(
    600,
    (second) => Math.min(second, 480) * 50_000 + Math.max(0, second - 480) * 1_000,
  );
  expect(slower.describe(target)).toMatchObject({ txsPerSecond: 1_000 });
});

test('what cannot be known is not told: no target, one that was estimated too low, nothing that goes on', () => {
  const watch = watchFor(100, (second) => second * 50_000);
  expect(watch.describe({ ...target, txs: undefined })).toMatchObject({
    share: undefined,
    txsPerSecond: 50_000,
    secondsLeft: undefined,
  });
  expect(watch.describe({ height: 12_000, txs: 4_000_000, isEstimate: true })).toMatchObject({
    share: undefined,
    secondsLeft: undefined,
  });
  expect(watchFor(100, () => 7).describe(target)).toMatchObject({ txsPerSecond: 0, secondsLeft: undefined });
});

test('the log has one line for it', () => {
  const watch = watchFor(100, (second) => second * 50_000);
  expect(formatProgress(watch.describe(target)!)).toBe(
    'Indexed 5,000,000 of 30,000,000 transactions (16.7 %), block 100 of 12,000; 50,000 transactions a second, about 8 min left.',
  );
  expect(formatProgress(watch.describe({ ...target, txs: 450_000_000, isEstimate: true })!)).toContain(
    'of about 450,000,000 transactions (1.1 %), block 100 of 12,000; 50,000 transactions a second, about 2 h 28 min left',
  );
  expect(formatProgress(watch.describe({ ...target, txs: undefined })!)).toBe(
    'Indexed 5,000,000 transactions, block 100 of 12,000; 50,000 transactions a second.',
  );
});

test('/health tells it while the index is behind, and null when it is not', async () => {
  const watch = watchFor(100, (second) => second * 50_000);
  const context = { findSyncProgress: () => watch.describe(target) };
  const inStep = createFixtureServer({ context });
  expect((await inStep.app.inject('/api/v1/health')).json()).toMatchObject({ status: 'ready', sync: null });
  const behind = createFixtureServer({
    context: { ...context, getNodeState: () => polled({ ...fixtureFacts, blocks: 12_000, headers: 12_000 }) },
  });
  expect((await behind.app.inject('/api/v1/health')).json()).toMatchObject({
    status: 'syncing',
    sync: {
      since: '1970-01-01T00:16:40.000Z',
      target_height: 12_000,
      transactions: 5_000_000,
      target_transactions: 30_000_000,
      target_estimated: false,
      transactions_per_second: 50_000,
      seconds_left: 500,
    },
  });
});
