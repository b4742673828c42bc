import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is this process's alone, or whose it is. */
export type Claim =
  | {
      readonly isOurs: true;
      /** What a second start is told: where the first one is. */
      tell(address: string): void;
      release(): void;
    }
  | {
      readonly isOurs: false;
      /** Where the one that has it listens; undefined while it is only starting. */
      readonly address: string | undefined;
    };

/** Longest path that a Unix socket can have everywhere. */
const MAX_PATH = 100;
const ANSWER_MS = 2_000;

/** Claims a folder until this process ends, however it ends: whoever has it answers on a socket in it. */
export async function claimFolder(dir: string): Promise<Claim> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = findSocketPath(dir);
  const owner = await ask(path);
  if (owner !== undefined) return { isOurs: false, address: owner === '' ? undefined : owner };
  // Nobody answers: it was left by a process that was killed.
  rmSync(path, { force: true });
  let told = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(told);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.unref();
  return {
    isOurs: true,
    tell(address) {
      told = address;
    },
    release: () => void server.close(),
  };
}

function findSocketPath(dir: string): string {
  const path = join(dir, 'start.sock');
  if (path.length <= MAX_PATH) return path;
  const name = createHash('sha256').update(dir).digest('hex').slice(0, 32);
  return join(tmpdir(), `coinfront-${name}.sock`);
}

/** What the owner tells; undefined where there is none. */
async function ask(path: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    let told = '';
    const socket = createConnection(path);
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => {
      told += String(chunk);
    });
    socket.once('end', () => resolve(told));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // What takes long to answer is there all the same.
      resolve(error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? undefined : '');
    });
  });
}
