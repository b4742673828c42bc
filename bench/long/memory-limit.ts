import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A bound on what a process and the pages of files that it has read may take of the memory. */
export type MemoryLimit = {
  /** Puts a process under it. */
  add(pid: number): void;
  /** Removes it when its processes have ended. */
  remove(): Promise<void>;
};

const REMOVE_TRIES = 50;

/**
 * Makes a control group of Linux, of version 1 or 2, which takes the rights of root.
 * @throws Error where it cannot be made
 */
export function limitMemory(megabytes: number): MemoryLimit {
  const first = '/sys/fs/cgroup/memory';
  const isFirst = existsSync(join(first, 'memory.limit_in_bytes'));
  const group = join(isFirst ? first : '/sys/fs/cgroup', `coinfront-bench-${process.pid}`);
  mkdirSync(group);
  writeFileSync(join(group, isFirst ? 'memory.limit_in_bytes' : 'memory.max'), `${megabytes * 2 ** 20}`);
  return {
    add: (pid) => writeFileSync(join(group, 'cgroup.procs'), `${pid}`),
    async remove() {
      for (let tries = REMOVE_TRIES; tries > 0; tries--) {
        try {
          rmdirSync(group);
          return;
        } catch {
          // The last process has ended, but the kernel is not done with it.
          await delay(100);
        }
      }
      throw new Error(`${group} could not be removed.`);
    },
  };
}
