import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { installPackages } from '../../scripts/pack/fresh-project.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';

// Each package as its users have it: installed from its tarball in an empty folder, and run by its own name.

const run = promisify(execFile);
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'coinfront');
const oldest = join(cache, 'node-22.0.0/bin/node');
/** The lowest Node that they promise to run on, where `scripts/ensure-installed.sh oldest-node` could fetch it. */
const oldestNode = existsSync(oldest) ? oldest : process.execPath;
const coinfront = (...args: string[]) => [
  join(project, 'node_modules/coinfront/dist/service/coinfront.js'),
  ...args,
];

let project: string;
let node: TestNode;
let origin: string;
let metricsPort: number;
let service: ReturnType<typeof spawn>;

/** Nothing of the machine's settings reaches what is tried. */
const env = () => ({ PATH: process.env.PATH, HOME: join(project, 'home') });

beforeAll(async () => {
  [project, node] = await Promise.all([installPackages(['service', 'cli', 'sdk']), startNode()]);
  mkdirSync(join(project, 'home'));
  await node.mine(3);
  const port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  const named = ['--node-url', node.url, '--listen', `127.0.0.1:${port}`, '--data-dir', 'data'];
  await run(oldestNode, coinfront('init', '--yes', ...named), { cwd: project, env: env() });
  metricsPort = await findFreePort();
  service = spawn(oldestNode, coinfront('serve'), {
    cwd: project,
    // The environment goes before the file.
    env: { ...env(), COINFRONT_METRICS_LISTEN: `127.0.0.1:${metricsPort}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}, 180_000);
afterAll(async () => {
  service?.kill('SIGKILL');
  await node?.stop();
  rmSync(project, { recursive: true, force: true });
});

test('coinfront init writes settings that only their owner reads, and not twice', async () => {
  const file = join(project, 'coinfront.env');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^COINFRONT_COIN=regtest$/m);
  const again = run(oldestNode, coinfront('init', '--yes', '--node-url', node.url), {
    cwd: project,
    env: env(),
  });
  await expect(again).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
});

test('coinfront serve follows the chain, by the Node that came with it, and serves API and explorer', async () => {
  await waitUntil('the chain is served', async () => {
    const answer = await fetch(`${origin}/api/v1/status`).catch(() => undefined);
    return answer?.headers.get('x-chain-height') === '3';
  });
  const page = await (await fetch(origin, { headers: { accept: 'text/html' } })).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  expect(script).toBeDefined();
  expect((await fetch(origin + script)).status).toBe(200);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toContain('nodejs_version_info{version="v26.');
});

test("coinfront admin takes the same settings, and 'coinfront' says what there is", async () => {
  const args = coinfront('admin', 'merchant', 'create', '--name', 'A shop', '--json');
  const { stdout } = await run(oldestNode, args, { cwd: project, env: env() });
  const { api_key } = JSON.parse(stdout) as { api_key: string };
  const answer = await fetch(`${origin}/api/v1/merchant`, { headers: { 'x-coin-pay-api-key': api_key } });
  expect(answer.status).toBe(200);
  const { stdout: help } = await run(oldestNode, coinfront('--help'), { env: env() });
  expect(help).toMatch(/serve.*admin.*doctor.*bench/s);
});

test('coin makes a wallet and reads its balance, on the lowest Node that it promises', async () => {
  const coin = join(project, 'node_modules/.bin/coin');
  writeFileSync(join(project, 'passphrase'), 'correct horse battery\n', { mode: 0o600 });
  const common = ['--passphrase-file', join(project, 'passphrase'), '--yes', '--json'];
  const made = await run(oldestNode, [coin, 'init', '--service', origin, ...common], { env: env() });
  expect(made.stderr).toBe('');
  expect(JSON.parse(made.stdout)).toMatchObject({ first_address: expect.stringMatching(/^rltc1/) });
  const balance = await run(oldestNode, [coin, 'balance', '--json'], { env: env() });
  expect(JSON.parse(balance.stdout)).toMatchObject({ total: '0.00000000' });
});

test('a program of somebody else compiles strictly against the SDK, and reads from the service', async () => {
  const program = join(project, 'read.ts');
  writeFileSync(
    program,
    `import { createClient, getBlock, getConfig, getStatus, isCoinfrontError, readNetwork } from '@coinfront/sdk';

const client = createClient({ baseUrl: '${origin}' });
const { height }: { height: number } = (await getStatus(client)).index;
const network = readNetwork(await getConfig(client));
const missing = await getBlock(client, { id: 99 }).catch((error: unknown) => error);
console.log(JSON.stringify({ height, ticker: network.ticker, missing: isCoinfrontError(missing, 'block_not_found') }));
`,
  );
  const packages = join(import.meta.dirname, '../../node_modules');
  const options = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--skipLibCheck',
    'false',
  ];
  const target = [
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--lib',
    'es2024,dom,dom.iterable',
    '--types',
    '',
  ];
  const compiler = [join(packages, 'typescript/bin/tsc'), ...options, ...target, program];
  await run(process.execPath, compiler, { cwd: project }).catch((error: { stdout: string }) => {
    throw new Error(error.stdout);
  });
  const { stdout } = await run(oldestNode, [join(project, 'read.js')]);
  expect(JSON.parse(stdout)).toEqual({ height: 3, ticker: 'RCOIN', missing: true });
});

test('coinfront bench is whole: it begins, and says which kinds there are', async () => {
  const begun = run(oldestNode, coinfront('bench', 'no-such-kind'), { cwd: project, env: env() });
  await expect(begun).rejects.toMatchObject({ stderr: expect.stringContaining('is none of sync,') });
});

test('coinfront serve ends when it is asked to', async () => {
  service.kill('SIGTERM');
  expect(await once(service, 'exit')).toEqual([0, null]);
});
