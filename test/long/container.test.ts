import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { layOutDeb, writeDeb } from '../../scripts/pack-deb/build-deb.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { makeDebianRoot } from '../packages/booted-root.ts';

/** The image of container/Containerfile, built without a daemon on a base of our own, and the service run in it. */

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'coinfront-image-'));
const store = ['--root', join(work, 'store'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs'];
const buildah = async (...args: string[]) =>
  (await run('buildah', [...store, ...args], { maxBuffer: 64 << 20 })).stdout.trim();

const made = await makeDebianRoot();
const why = 'why' in made ? made.why : await buildah('--version').then(() => undefined, String);
if (why !== undefined) console.warn(`The image is not built: ${why}`);

describe.skipIf(why !== undefined)('the image of container/Containerfile', () => {
  let node: TestNode;
  let container: string;
  let service: ChildProcess | undefined;
  let origin: string;

  beforeAll(async () => {
    [node, origin] = [await startNode(), `http://127.0.0.1:${await findFreePort()}`];
    await node.mine(3);
    const folder = join(work, 'coinfront');
    mkdirSync(folder, { mode: 0o755 });
    await layOutDeb(folder, '0.1.0');
    mkdirSync(join(work, 'context/packages'), { recursive: true });
    writeDeb(folder, join(work, 'context/packages'), '0.1.0');
    cpSync(join(root, 'container'), join(work, 'context/container'), { recursive: true });
    const base = await buildah('from', 'scratch');
    await buildah('add', '--quiet', base, (made as { folder: string }).folder, '/');
    await buildah('commit', '--quiet', '--rm', base, 'localhost/debian-base');
    await buildah(
      ...['build', '--isolation', 'chroot', '--network', 'host', '--pull=never'],
      ...['--build-arg', 'BASE=localhost/debian-base', '--tag', 'localhost/coinfront'],
      ...['--file', join(work, 'context/container/Containerfile'), join(work, 'context')],
    );
    container = await buildah('from', '--pull=never', 'localhost/coinfront');
  });
  afterAll(async () => {
    service?.kill('SIGKILL');
    await node?.stop();
    rmSync(work, { recursive: true, force: true });
  });

  test('says how it is started, as its own user', async () => {
    const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/coinfront')) as {
      OCIv1: { config: Record<string, unknown> };
    };
    expect(OCIv1.config).toMatchObject({
      User: 'coinfront',
      Entrypoint: ['/usr/bin/coinfront'],
      Cmd: ['serve'],
      Volumes: { '/var/lib/coinfront': {} },
    });
  });

  test('serves the chain, makes a merchant, and ends in order', async () => {
    const settings = {
      COINFRONT_NODE_URL: node.url,
      COINFRONT_COIN: 'regtest',
      // It shares the network of this machine here.
      COINFRONT_LISTEN: new URL(origin).host,
      COINFRONT_METRICS_LISTEN: 'off',
    };
    const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const inside = (...command: string[]) =>
      [
        'run',
        '--isolation',
        'chroot',
        '--network',
        'host',
        ...env,
        container,
        '--',
        '/usr/bin/coinfront',
      ].concat(command);
    service = spawn('buildah', [...store, ...inside('serve')], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [service.stdout!, service.stderr!])
      stream.on('data', (chunk) => {
        said = (said + String(chunk)).slice(-4_000);
      });
    await waitUntil(
      'the chain is served',
      async () => {
        if (service!.exitCode !== null) throw new Error(`It ended: ${said}`);
        const answer = await fetch(`${origin}/api/v1/status`).catch(() => undefined);
        return answer?.headers.get('x-chain-height') === '3';
      },
      60_000,
    );
    expect((await fetch(origin)).headers.get('content-type')).toContain('text/html');
    expect(await buildah(...inside('admin', 'merchant', 'create', '--name', 'A shop'))).toContain('cfk_');
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
    await expect(fetch(origin)).rejects.toThrow();
  });
});
