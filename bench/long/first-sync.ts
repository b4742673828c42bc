import type { MeasuredProcess, ServiceStorage } from '../service-process.ts';
import { brief } from '../table.ts';
import type { BlockLog } from './chain/block-log.ts';
import { type DiskUse, watchDisk } from './disk-use.ts';
import { followPace, type PaceRow, waitForQuietDisk } from './pace.ts';
import { formatPaceHead, formatPaceRow } from './pace-table.ts';
import type { Stretch } from './rows.ts';

const LAST_LOOKS_MS = 20;

/**
 * Watches the service, which was just started on an empty storage, index the stretches; prints a row for each as it goes,
 * stops the service, and prints one for all.
 */
export async function measureFirstSync(
  { service, storage, log }: { service: MeasuredProcess; storage: ServiceStorage; log: BlockLog },
  stretches: readonly Stretch[],
  floor: readonly number[],
): Promise<void> {
  const disk = watchDisk(service, storage);
  console.log(formatPaceHead());
  const rows = await followPace({ service, disk, log }, stretches, (row, index) =>
    console.log(formatPaceRow(row, floor[index]!)),
  );
  await waitForQuietDisk(disk);
  const { cpuSeconds, peakRssBytes } = service.readUse();
  const writtenBytes = await stopAndCount(service, disk);
  const all = { ...sumRows(rows), peakRssBytes, writtenBytes, indexBytes: await disk.sizeBytes() };
  const floorSeconds = floor.reduce((sum, seconds) => sum + seconds, 0);
  console.log('all of it, the service stopped:');
  console.log(formatPaceRow(all, floorSeconds));
  const flatness = paceOf(rows.at(-1)!) / paceOf(rows[0]!);
  console.log(
    `last row's pace / the first's: ${brief(flatness)}; CPU of the service: ${brief(cpuSeconds)} s`,
  );
}

/** What is written at the end counts, too, and is told only while the process is there. */
async function stopAndCount(service: MeasuredProcess, disk: DiskUse): Promise<number> {
  let writtenBytes = disk.writtenBytes();
  const looks = setInterval(() => {
    writtenBytes = Math.max(writtenBytes, disk.writtenBytes());
  }, LAST_LOOKS_MS);
  await service.stop();
  clearInterval(looks);
  return writtenBytes;
}

function sumRows(rows: readonly PaceRow[]): PaceRow {
  const last = rows.at(-1)!;
  const seconds = rows.reduce((sum, row) => sum + row.seconds, 0);
  return { ...last, transactions: last.total, seconds };
}

function paceOf({ transactions, seconds }: PaceRow): number {
  return transactions / seconds;
}
