import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { seatPerson } from '../demo/person.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';

// `coinfront init` as a person has it: on a terminal, its questions answered one after the other.

const PROGRAM = join(import.meta.dirname, '../../service/coinfront.js');
/** A file system without room for anything. */
const NO_ROOM = '/proc/coinfront-data';

let node: TestNode;
/** Where the node's configuration is at its usual place. */
let home: string;
let work: string;
beforeAll(async () => {
  node = await startNode({ extraArgs: ['-rest=1'] });
  await node.mine(3);
  work = mkdtempSync(join(tmpdir(), 'coinfront-dialogue-'));
  home = join(work, 'home');
  mkdirSync(join(home, '.litecoin'), { recursive: true });
  const { port, username, password } = new URL(node.url);
  writeFileSync(
    join(home, '.litecoin/litecoin.conf'),
    `regtest=1\nrpcuser=${username}\nrpcpassword=${password}\n[regtest]\nrpcport=${port}\n`,
  );
});
afterAll(async () => {
  await node.stop();
  rmSync(work, { recursive: true, force: true });
});

/** What is typed, by how the question begins: several where it is asked again. */
type Answers = Readonly<Record<string, readonly string[]>>;

/** Sits a person down in an empty folder, who types `coinfront init`; `asked` are the questions, in their order. */
async function typeInit(at: string, answers: Answers) {
  const folder = mkdtempSync(join(work, 'folder-'));
  const asked: string[] = [];
  const person = await seatPerson({
    folder,
    home: at,
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    answer(line) {
      const begins = Object.keys(answers).find((each) => line.startsWith(each));
      if (begins === undefined || !/: $/.test(line)) return undefined;
      const given = answers[begins]![asked.filter((each) => each.startsWith(begins)).length];
      if (given !== undefined) asked.push(line);
      return given;
    },
  });
  onTestFinished(() => person.leave());
  const { shown, code } = await person.type(`${process.execPath} ${PROGRAM} init`);
  return { folder, shown, code, asked };
}

test('a person chooses the node that is found, and what is written starts a service that answers', async () => {
  const listen = `127.0.0.1:${await findFreePort()}`;
  const { folder, shown, code, asked } = await typeInit(home, {
    'Which one': ['7', 'the first', '1'],
    'Folder of the data': [''],
    'Where it listens': [listen],
  });
  expect(asked).toEqual([
    ...Array(3).fill('Which one, or the URL of another [1]: '),
    'Folder of the data [./coinfront-data]: ',
    'Where it listens [127.0.0.1:8080]: ',
  ]);
  expect(code, shown).toBe(0);
  expect(shown).toMatch(/1 {2}127\.0\.0\.1:\d+: \/LitecoinCore:.*chain "regtest", block 3/);
  expect(shown).not.toContain(new URL(node.url).password);
  expect(shown).toMatch(/Coin profile: regtest[\s\S]*REST is on[\s\S]*Now:\s+coinfront serve/);

  const file = join(folder, 'coinfront.env');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(parseEnv(readFileSync(file, 'utf8'))).toEqual({
    COINFRONT_NODE_URL: node.url.replace(/\/$/, ''),
    COINFRONT_COIN: 'regtest',
    COINFRONT_DATA_DIR: join(folder, 'coinfront-data'),
    COINFRONT_LISTEN: listen,
  });
  await serve(folder, async () => {
    const answer = await fetch(`http://${listen}/api/v1/status`).catch(() => undefined);
    return answer?.headers.get('x-chain-height') === '3';
  });
});

test('a person without a node at a usual place names one: a URL that leads nowhere is asked for again, a cookie where there is no password', async () => {
  const cookie = join(work, 'a cookie');
  const { origin, username, password } = new URL(node.url);
  writeFileSync(cookie, `${username}:${password}`);
  const listen = `127.0.0.1:${await findFreePort()}`;
  const data = join(work, 'elsewhere');
  const { folder, shown, code, asked } = await typeInit(work, {
    'URL of the node': ['127.0.0.1', 'http://a b', 'http://user:wrong@127.0.0.1:9', origin, origin],
    'Its .cookie file': [join(work, 'no cookie'), cookie],
    'Folder of the data': [data],
    'Where it listens': [listen],
  });
  expect(code, shown).toBe(0);
  expect(asked.map((line) => line.split(' ')[0])).toEqual([
    ...['URL', 'URL', 'URL', 'URL', 'Its', 'URL', 'Its'],
    ...['Folder', 'Where'],
  ]);
  expect(shown).toMatch(/http:\/\/127\.0\.0\.1:9/);
  expect(parseEnv(readFileSync(join(folder, 'coinfront.env'), 'utf8'))).toEqual({
    COINFRONT_NODE_URL: origin,
    COINFRONT_NODE_COOKIE: cookie,
    COINFRONT_COIN: 'regtest',
    COINFRONT_DATA_DIR: data,
    COINFRONT_LISTEN: listen,
  });
});

test.each([
  ['writes nothing where the person does not say yes', '', 1],
  ['writes it where the person says yes', 'yes', 0],
])('a machine that will not do is told, and init %s', async (_, answer, expected) => {
  const { folder, shown, code } = await typeInit(home, {
    'Which one': [''],
    'Folder of the data': [NO_ROOM],
    'Where it listens': [''],
    'Write the file all the same? Type yes': [answer],
  });
  expect(shown).toMatch(/BAD .*the disk has 1 MB free/);
  expect(code, shown).toBe(expected);
  expect(existsSync(join(folder, 'coinfront.env'))).toBe(expected === 0);
});

test('a person who leaves in the middle is told that nothing was written', async () => {
  const END_OF_INPUT = String.fromCharCode(4);
  const { folder, shown, code } = await typeInit(home, {
    'Which one': [''],
    'Folder of the data': [END_OF_INPUT],
  });
  expect(code, shown).toBe(1);
  expect(shown).toContain('Nothing was written.');
  expect(shown).not.toMatch(/^\s+at /m);
  expect(existsSync(join(folder, 'coinfront.env'))).toBe(false);
});

/** Starts the service as the last line of `init` says, until `isUp`. */
async function serve(folder: string, isUp: () => Promise<boolean>): Promise<void> {
  const env = { PATH: process.env.PATH, COINFRONT_METRICS_LISTEN: 'off' };
  const service: ChildProcess = spawn(process.execPath, [PROGRAM, 'serve'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  await waitUntil('the chain is served', isUp);
  service.kill('SIGTERM');
  expect(await once(service, 'exit')).toEqual([0, null]);
}
