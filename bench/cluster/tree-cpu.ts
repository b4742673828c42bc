import { readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_SECOND = 100;

/** CPU seconds of a process, of the children that it has, and of those that it had and has waited for. Linux only. */
export function readTreeCpu(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const own = sumTicks(pid, [11, 12, 13, 14]);
  const present =
    children === '' ? [] : children.split(' ').map((child) => sumTicks(Number(child), [11, 12]));
  return present.reduce((sum, ticks) => sum + ticks, own) / CLOCK_TICKS_PER_SECOND;
}

/** Fields of /proc/<pid>/stat behind the name: utime, stime, and both of waited children. 0 for one that has gone. */
function sumTicks(pid: number, fields: readonly number[]): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.reduce((sum, field) => sum + Number(afterName[field]), 0);
  } catch {
    return 0;
  }
}
