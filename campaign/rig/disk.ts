import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, cpSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A small file system of its own, which holds the database and can be filled. */
export type Disk = {
  readonly folder: string;
  /** Leaves not a byte free. */
  fill(): void;
  /** Frees what `fill` took. */
  free(): void;
  /** Copies what is on it, for whoever looks into a failure. */
  keep(folder: string): void;
  unmount(): void;
};

const PIECE = Buffer.alloc(1 << 20);

/**
 * Mounts one in memory.
 *
 * @param sizeMb - enough for what a campaign stores, and little to fill
 * @returns undefined where mounting is not permitted
 */
export function mountDisk(folder: string, sizeMb: number): Disk | undefined {
  mkdirSync(folder, { recursive: true });
  const options = ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'coinfront-campaign', folder];
  if (spawnSync('mount', options).status !== 0) return undefined;
  chmodSync(folder, 0o755);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(folder);
          const left = Math.min(bavail * bsize, PIECE.length);
          if (left === 0) return;
          writeSync(file, PIECE, 0, left);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    keep: (target) => cpSync(folder, target, { recursive: true }),
    unmount() {
      spawnSync('umount', ['--lazy', folder]);
    },
  };
}
