import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { startService } from '../service-process.ts';
import { createStorageMaker } from '../storage.ts';
import { brief } from '../table.ts';
import { ensureLongChain } from './chain/ensure-chain.ts';
import { watchDisk } from './disk-use.ts';
import { measureFloor } from './floor.ts';
import { startChainNode } from './node/start-node.ts';
import type { LongOptions } from './options.ts';
import { followPace, waitForQuietDisk } from './pace.ts';
import { formatPaceHead, formatPaceRow } from './pace-table.ts';
import { listStretches } from './rows.ts';

/**
 * Makes or finds the chain, measures the floor, then lets the service index the same blocks, and prints a row for every
 * million transactions as it goes.
 */
export async function runLong(options: LongOptions): Promise<void> {
  const { mix, seed, transactions, engine, keep, dir } = options;
  mkdirSync(dir, { recursive: true });
  const { log, height, ...chain } = ensureLongChain({ mix, seed, transactions }, dir, console.error);
  const stretches = listStretches(log, height);
  const storages = await createStorageMaker(engine, dir);
  const node = await startChainNode({ dir: chain.dir, tip: height });
  try {
    console.log(`${mix}, seed ${seed}, ${engine}, Node ${process.version}, ${describeMachine()}`);
    const floor = await measureFloor(node.url, stretches);
    const storage = await storages.open();
    const service = await startService(node.url, storage);
    try {
      const disk = watchDisk(service, storage);
      console.log(formatPaceHead());
      const rows = await followPace({ service, disk, log }, stretches, (row) =>
        console.log(formatPaceRow(row, floor[stretches.findIndex(({ total }) => total === row.total)]!)),
      );
      await waitForQuietDisk(disk);
      const { peakRssBytes, cpuSeconds } = service.readUse();
      const [written, size] = [disk.writtenBytes(), await disk.sizeBytes()];
      const sum = { ...rows.at(-1)!, transactions: log.transactionsTo(height) };
      sum.seconds = rows.reduce((all, row) => all + row.seconds, 0);
      const floorSeconds = floor.reduce((all, seconds) => all + seconds, 0);
      console.log('all, when nothing is written any more:');
      console.log(
        formatPaceRow({ ...sum, peakRssBytes, writtenBytes: written, indexBytes: size }, floorSeconds),
      );
      console.log(
        `pace of the last row / of the first: ${brief(paceOf(rows.at(-1)!) / paceOf(rows[0]!))}; ` +
          `CPU of the service: ${brief(cpuSeconds)} s`,
      );
    } finally {
      await service.stop();
      if (keep) console.log(`The index is in ${storage.dataDir}.`);
      else await storage.drop();
    }
  } finally {
    await node.stop();
    await storages.close();
    log.close();
  }
}

function paceOf({ transactions, seconds }: { transactions: number; seconds: number }): number {
  return transactions / seconds;
}

function describeMachine(): string {
  return `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}`;
}
