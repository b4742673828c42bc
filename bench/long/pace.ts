import { setTimeout as delay } from 'node:timers/promises';
import { findServedBlock, type MeasuredProcess } from '../service-process.ts';
import type { BlockLog } from './chain/block-log.ts';
import type { DiskUse } from './disk-use.ts';
import type { Stretch } from './rows.ts';

/** What was seen when the index had come to the end of a stretch. */
export type PaceRow = Stretch & {
  /** For this stretch alone. */
  seconds: number;
  peakRssBytes: number;
  /** Since the start. */
  writtenBytes: number;
  indexBytes: number;
};

const POLL_MS = 250;

/**
 * Watches a first sync until the service serves the end of the last stretch. A stretch ends between two looks, at the
 * moment that the transactions served before and after tell: the service shows a batch at once when it has it.
 *
 * @param onRow is given each row as soon as it is known
 */
export async function followPace(
  { service, disk, log }: { service: MeasuredProcess; disk: DiskUse; log: BlockLog },
  stretches: readonly Stretch[],
  onRow: (row: PaceRow, index: number) => void,
): Promise<PaceRow[]> {
  const rows: PaceRow[] = [];
  let before = { atMs: service.startedAtMs, transactions: 0 };
  let endedAtMs = service.startedAtMs;
  while (rows.length < stretches.length) {
    service.checkAlive();
    const served = await findServedBlock(service);
    const { peakRssBytes } = service.readUse();
    const writtenBytes = disk.writtenBytes();
    if (served && log.transactionsTo(served.height) > before.transactions) {
      const now = { atMs: performance.now(), transactions: log.transactionsTo(served.height) };
      const passed = stretches.slice(rows.length).filter(({ toHeight }) => toHeight <= served.height);
      const indexBytes = passed.length > 0 ? await disk.sizeBytes() : 0;
      for (const stretch of passed) {
        const share = (stretch.total - before.transactions) / (now.transactions - before.transactions);
        const atMs = before.atMs + share * (now.atMs - before.atMs);
        const seconds = (atMs - endedAtMs) / 1_000;
        const row = { ...stretch, seconds, peakRssBytes, writtenBytes, indexBytes };
        endedAtMs = atMs;
        rows.push(row);
        onRow(row, rows.length - 1);
      }
      before = now;
    }
    await delay(POLL_MS);
  }
  return rows;
}

/** Waits until nothing was written for two seconds, at most a minute: work that a sync leaves for later counts, too. */
export async function waitForQuietDisk(disk: DiskUse): Promise<void> {
  const deadline = performance.now() + 60_000;
  let [written, since] = [disk.writtenBytes(), performance.now()];
  while (performance.now() < deadline && performance.now() - since < 2_000) {
    await delay(POLL_MS);
    const now = disk.writtenBytes();
    if (now !== written) [written, since] = [now, performance.now()];
  }
}
