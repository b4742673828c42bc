import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildExplorer, isExplorerCurrent } from '../../scripts/explorer-build.ts';
import { findFreePort } from '../../scripts/free-ports.ts';
import { alike, piecesOf, readShownCommands, type ShownCommand } from '../demo/console-blocks.ts';
import { type Person, seatPerson } from '../demo/person.ts';

const root = join(import.meta.dirname, '../..');
/** Where the documents say that it listens. */
const DOCUMENTED = '127.0.0.1:8080';
/** Starts that are there already, and what needs another machine. */
const LEFT_OUT = /^npm (start|test)/;
/** Typing it again changes nothing, so that a person who was too early does. */
const READS = /^(curl (?!-X)|coin (balance|name list|token list|proof verify)|BLOCK=)/;
/** What may send something; a person sees it in a block before the next step. */
const MOVES = /^(\w+=\$\()?(coin|npm run)/;
const PATIENCE_MS = 90_000;
const LOOK_AGAIN_MS = 1_000;

let folder: string;
let start: ChildProcess;
let listen: string;
let env: NodeJS.ProcessEnv;
const printed: string[] = [];

beforeAll(async () => {
  if (!(await isExplorerCurrent())) await buildExplorer({ logLevel: 'error' });
  folder = await mkdtemp(join(tmpdir(), 'coinfront-walk-'));
  // A copy of the repository that files can be written into.
  await mkdir(join(folder, 'repository'));
  for (const name of await readdir(root)) {
    if (name !== 'data') await symlink(join(root, name), join(folder, 'repository', name));
  }
  listen = `127.0.0.1:${await findFreePort()}`;
  const { COINFRONT_TEST_NODE: _, ...others } = process.env;
  env = {
    ...others,
    COINFRONT_DEMO_DIR: join(folder, 'demo'),
    COINFRONT_DEMO_BLOCK_SECONDS: '1',
    COINFRONT_LISTEN: listen,
    COINFRONT_METRICS_LISTEN: 'off',
  };
  start = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    start.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${printed.join('\n')}`)));
    for (const stream of [start.stdout!, start.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line);
        // A person who follows a document begins when the last of what is made is there.
        if (line.startsWith(' Tokens ')) resolve();
      });
    }
  });
}, 240_000);
afterAll(async () => {
  if (start?.exitCode === null) {
    const ended = once(start, 'exit');
    start.kill('SIGINT');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function readHeight(): Promise<number> {
  const answer = await fetch(`http://${listen}/api/v1/status`);
  return ((await answer.json()) as { index: { height: number } }).index.height;
}

/** A person types slowly: a block comes between two steps. */
async function waitForBlock(): Promise<void> {
  const before = await readHeight();
  const deadline = Date.now() + PATIENCE_MS;
  while ((await readHeight()) === before) {
    if (Date.now() > deadline) throw new Error('No block comes.');
    await delay(LOOK_AGAIN_MS / 4);
  }
}

async function follow(person: Person, { command, output }: ShownCommand): Promise<void> {
  const here = command
    .replaceAll(DOCUMENTED, listen)
    .replace(/^coin (init|restore)/, `coin $1 --service http://${listen}`);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { shown, code } = await person.type(here);
    const missing = piecesOf(output).filter((piece) => !alike(shown).includes(piece));
    if (code === 0 && missing.length === 0) return;
    if (!READS.test(command) || Date.now() > deadline) {
      expect({ command, code, missing, shown }).toEqual({ command, code: 0, missing: [], shown });
    }
    await delay(LOOK_AGAIN_MS);
  }
}

/** Follows a document from its first command to its last, with a machine of one's own. */
async function followDocument(name: string): Promise<number> {
  const commands = readShownCommands(await readFile(join(root, name), 'utf8'));
  const home = await mkdtemp(join(folder, 'home-'));
  const person = await seatPerson({ folder: join(folder, 'repository'), home, env });
  let followed = 0;
  try {
    for (const shown of commands) {
      if (LEFT_OUT.test(shown.command)) continue;
      await follow(person, shown);
      followed += 1;
      if (MOVES.test(shown.command) && !READS.test(shown.command)) await waitForBlock();
    }
  } finally {
    await person.leave();
  }
  return followed;
}

describe('what the documents show holds word for word, typed slowly at a chain that goes on', {
  timeout: 600_000,
}, () => {
  test('README.md', async () => {
    expect(await followDocument('README.md')).toBeGreaterThan(10);
  });

  test('docs/wallet.md', async () => {
    expect(await followDocument('docs/wallet.md')).toBeGreaterThan(25);
  });
});

test('`npm start` prints no line of a log, and nothing that went wrong', () => {
  const words = printed.filter((line) => /^\{|^\(node:|warn|error|fail|could not/i.test(line));
  expect(words).toEqual([]);
});

test('a second start in the same folder says where the first one is, and leaves it alone', async () => {
  const second = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [second.stdout, second.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const [code] = await once(second, 'close');
  expect(code).toBe(1);
  expect(said.trim().split('\n')).toEqual([expect.stringMatching(`runs already .* at http://${listen}`)]);
  expect((await fetch(`http://${listen}/api/v1/health?require=ready`)).status).toBe(200);
});
