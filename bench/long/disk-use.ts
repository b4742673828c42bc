import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readDatabaseSize } from '../../test/harness/postgres.ts';
import { listProcesses } from '../list-processes.ts';
import { type MeasuredProcess, readWrittenBytes, type ServiceStorage } from '../service-process.ts';

/** What an index costs the disk. */
export type DiskUse = {
  /** Bytes written so far by the service, and by the processes of a database server. */
  writtenBytes(): number;
  /** Bytes that the index takes now, without a database server's log. */
  sizeBytes(): Promise<number>;
};

/** Watches the disk for a service and its storage. */
export function watchDisk(service: MeasuredProcess, storage: ServiceStorage): DiskUse {
  const { dataDir, databaseUrl } = storage;
  const readServer = databaseUrl === undefined ? () => 0 : watchServer(new URL(databaseUrl).port);
  return {
    writtenBytes: () => readWrittenBytes(service.pid) + readServer(),
    async sizeBytes() {
      return sumFiles(dataDir) + (databaseUrl === undefined ? 0 : await readDatabaseSize(databaseUrl));
    },
  };
}

function sumFiles(dir: string): number {
  let sum = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    // A file may be removed while this looks.
    const stat = entry.isFile()
      ? statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })
      : undefined;
    sum += stat?.size ?? 0;
  }
  return sum;
}

/** Sums what the server on this port and its processes wrote. Of those that ended the kernel adds it to what their parent wrote. */
function watchServer(port: string): () => number {
  const server = listProcesses().find(({ command }) => command.includes(`\0-p\0${port}\0`))?.pid;
  let most = 0;
  return () => {
    const ofServer = listProcesses().filter(({ pid, parent }) => pid === server || parent === server);
    // One that has ended is for a moment in neither.
    most = Math.max(
      most,
      ofServer.reduce((sum, { pid }) => sum + readWrittenBytes(pid), 0),
    );
    return most;
  };
}
