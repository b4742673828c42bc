import { readFileSync } from 'node:fs';

/**
 * How long the main threads of some processes have been ready to run while others had the cores, milliseconds in all, as Linux counts it in
 * `/proc/<pid>/task/<tid>/schedstat`. On a machine of two cores attackers, node and database take them from the service; on a machine
 * of its own it would not have waited for these.
 */
export function readCoreWaitMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return sum + Number(waitedNs) / 1e6;
  }, 0);
}
