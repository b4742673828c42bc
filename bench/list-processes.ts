import { readdirSync, readFileSync } from 'node:fs';

/** The processes of this machine, by Linux' own accounts; `command` has its arguments separated by NUL. */
export function listProcesses(): Array<{ pid: number; parent: number; command: string }> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [{ pid: Number(pid), parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }];
    } catch {
      return [];
    }
  });
}
