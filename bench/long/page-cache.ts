import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';

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
 * Reads a file once, so that the machine holds as much of it in memory as it can: what was written may have been dropped since,
 * also where there is room.
 */
export function warmPageCache(file: string): void {
  const descriptor = openSync(file, 'r');
  const buffer = new Uint8Array(READ_AT_ONCE);
  while (readSync(descriptor, buffer, 0, buffer.length, null) > 0);
  closeSync(descriptor);
}
