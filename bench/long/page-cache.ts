import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the machine forget what it holds of its disks; false where that is not permitted. */
export function dropPageCache(): boolean {
  // Only what is written already can be forgotten.
  spawnSync('sync');
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '1');
    return true;
  } catch {
    return false;
  }
}

const READ_AT_ONCE = 1 << 20;

/**
 * Reads all files of a folder once, those that are read most last, so that the machine holds as much of it in memory as it can: what was written may have been dropped since,
 * also where there is room.
 */
export function warmPageCache(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  // The files of runs are in a folder below.
  files.sort((a, b) => a.parentPath.length - b.parentPath.length);
  for (const { parentPath, name } of files) readThrough(join(parentPath, name));
}

function readThrough(file: string): void {
  const descriptor = openSync(file, 'r');
  const buffer = new Uint8Array(READ_AT_ONCE);
  while (readSync(descriptor, buffer, 0, buffer.length, null) > 0);
  closeSync(descriptor);
}
