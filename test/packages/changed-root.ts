import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** This machine's Debian as another root, in which packages can be installed and removed: nothing of it reaches the machine. */
export type ChangedRoot = {
  /** Runs a command there as root; rejects where it fails. */
  run(command: string, ...args: string[]): Promise<{ stdout: string; stderr: string }>;
  /** Starts one and leaves it running. */
  spawn(command: string, ...args: string[]): ChildProcess;
  /** Ends it, and forgets what was changed. */
  close(): Promise<void>;
};

/** Mounts an overlay in a mount namespace of its own, so that whatever happens ends with its process. */
const script = `set -e
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work" "$1/changed"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/changed"
mount --bind /dev "$1/changed/dev"
mount -t proc proc "$1/changed/proc"
mount -t tmpfs none "$1/changed/run"
mount -t tmpfs none "$1/changed/tmp"
mount --bind "$2" "$1/changed/mnt"
echo ready
exec sleep infinity`;

/**
 * Opens one; a text says why that cannot be done here.
 *
 * @param shared - a folder that is at /mnt there
 */
export async function openChangedRoot(shared: string): Promise<ChangedRoot | string> {
  if (process.getuid?.() !== 0) return 'only root can make another root.';
  const folder = mkdtempSync(join(tmpdir(), 'coinfront-root-'));
  const args = ['--mount', '--propagation', 'private', 'bash', '-c', script, 'bash', folder, shared];
  const holder = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  holder.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const isReady = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'exit').then(() => false),
    once(holder, 'error').then(() => false),
  ]);
  if (!isReady) {
    rmSync(folder, { recursive: true, force: true });
    return `mounts are not allowed here: ${said.trim()}`;
  }
  const root = join(folder, 'changed');
  const enter = (command: string, given: readonly string[]) => [
    `--mount=/proc/${holder.pid}/ns/mnt`,
    'chroot',
    root,
    'env',
    '-i',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
    'DEBIAN_FRONTEND=noninteractive',
    command,
    ...given,
  ];
  return {
    run: (command, ...given) => run('nsenter', enter(command, given)),
    spawn: (command, ...given) =>
      spawn('nsenter', enter(command, given), { stdio: ['ignore', 'pipe', 'pipe'] }),
    async close() {
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
