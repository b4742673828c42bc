import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The clock of the service alone; that of the machine is never touched. */
export type Clock = {
  /** What the service's process has to be started with. */
  readonly settings: Readonly<Record<string, string>>;
  /** By how many seconds it is ahead of the machine's (behind: negative); at once, also while the service runs. */
  move(seconds: number): void;
  /** Removes what a process that was killed has left in shared memory. */
  forget(pid: number): void;
  /** How far ahead it has ever been, in seconds. */
  furthest(): number;
};

/** Where Debian's package `libfaketime` keeps the library for programs with threads, by architecture. */
const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

/**
 * Makes a clock by libfaketime. Timers go by the monotonic clock, which is left alone: so it is on a machine whose time is set.
 *
 * @returns undefined where libfaketime is not installed
 */
export function openClock(folder: string): Clock | undefined {
  const library = LIBRARIES.find((file) => existsSync(file));
  if (library === undefined) return undefined;
  const file = join(folder, 'clock');
  let furthest = 0;
  const move = (seconds: number): void => {
    furthest = Math.max(furthest, seconds);
    // Never half written: the service reads it whenever it asks for the time.
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    renameSync(`${file}.new`, file);
  };
  move(0);
  return {
    settings: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    move,
    forget(pid) {
      for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
        rmSync(join('/dev/shm', name), { force: true });
    },
    furthest: () => furthest,
  };
}
