import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

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
