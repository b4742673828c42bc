import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../harness/litecoind.ts';

const run = promisify(execFile);
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'coinfront', 'debian-root');

/** An empty Debian that systemd has booted, with a network of its own: what listens in it does not listen on this machine. */
export type BootedRoot = {
  /** Runs a command of a shell there as root; rejects where it fails. */
  run(command: string): Promise<string>;
  /** The program and arguments with which a command is begun there. */
  enter(...command: string[]): [string, string[]];
  /** Ends it, and forgets what was changed. */
  close(): Promise<void>;
};

/** Makes the empty Debian if there is none yet, and gives its folder; a text after `why` says why that cannot be done here. */
export async function makeDebianRoot(): Promise<{ folder: string } | { why: string }> {
  if (process.getuid?.() !== 0) return { why: 'only root can make another root.' };
  try {
    await run('bash', [join(import.meta.dirname, '../../scripts/debian-root.sh'), folder], {
      maxBuffer: 64 << 20,
    });
    return { folder };
  } catch (error) {
    return { why: String((error as { stderr?: string }).stderr ?? error).slice(-500) };
  }
}

/**
 * Boots it; a text says why that cannot be done here.
 *
 * @param shared - a folder that is at /mnt there
 */
export async function bootRoot(shared: string): Promise<BootedRoot | string> {
  const made = await makeDebianRoot();
  if ('why' in made) return made.why;
  const unit = `coinfront-${process.pid}`;
  const args = ['--directory', made.folder, '--volatile=overlay', '--private-network', '--register=no'];
  args.push('--keep-unit', `--machine=${unit}`, '--console=pipe', `--bind=${shared}:/mnt`, '--boot');
  const holder = spawn('systemd-nspawn', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [holder.stdout, holder.stderr])
    stream.on('data', (chunk) => {
      said = (said + String(chunk)).slice(-2_000);
    });
  const failed = await Promise.race([
    once(holder, 'error').then(([error]) => String(error)),
    once(holder, 'exit').then(() => said),
    waitForBoot(holder),
  ]);
  if (typeof failed === 'string') return `systemd does not boot here: ${failed}`;
  const leader = failed.leader;
  const enter = (...command: string[]): [string, string[]] => [
    'nsenter',
    [`--target=${leader}`, '--all', 'env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root'].concat(
      ['LANG=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive', 'TERM=dumb'],
      command,
    ),
  ];
  return {
    enter,
    run: async (command) => (await run(...enter('bash', '-c', command), { maxBuffer: 16 << 20 })).stdout,
    async close() {
      const ended = holder.exitCode === null && holder.signalCode === null ? once(holder, 'exit') : undefined;
      // The first process of the other root takes all others with it.
      process.kill(leader, 'SIGKILL');
      await ended;
      await rm(`/var/lib/machines/${unit}`, { recursive: true, force: true });
    },
  };
}

/** Waits until its systemd has started what it starts; gives the id that its first process has on this machine. */
async function waitForBoot(holder: ChildProcess): Promise<{ leader: number }> {
  let leader = 0;
  await waitUntil(
    'systemd has booted',
    async () => {
      const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').catch(
        () => '',
      );
      leader = Number(children.trim().split(' ').at(-1));
      if (!leader) return false;
      const asked = await run('nsenter', [
        `--target=${leader}`,
        '--all',
        'systemctl',
        'is-system-running',
      ]).then(
        ({ stdout }) => stdout,
        (error: { stdout?: string }) => error.stdout ?? '',
      );
      return /running|degraded/.test(asked);
    },
    120_000,
  );
  return { leader };
}
