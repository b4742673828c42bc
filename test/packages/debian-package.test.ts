import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { findArchitecture, layOutDeb, writeControl, writeDeb } from '../../scripts/pack-deb/build-deb.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { type ChangedRoot, openChangedRoot } from './changed-root.ts';

// The life of the Debian package on a Debian of its own. There is no systemd in it: the units are looked at by systemd-analyze, and
// the program is started as they start it.

const work = mkdtempSync(join(tmpdir(), 'coinfront-deb-'));
const opened = await openChangedRoot(work);
if (typeof opened === 'string') console.warn(`The Debian package is not tried: ${opened}`);

describe.skipIf(typeof opened === 'string')('the Debian package', () => {
  const there = opened as ChangedRoot;
  let node: TestNode;
  let origin: string;
  let service: ChildProcess | undefined;

  const run = async (command: string, ...args: string[]) => (await there.run(command, ...args)).stdout;
  const stat = async (file: string) => (await run('stat', '-c', '%a %U:%G', file)).trim();
  const exists = (file: string) =>
    there.run('test', '-e', file).then(
      () => true,
      () => false,
    );
  const install = (version: string) =>
    run('dpkg', '--install', `/mnt/coinfront_${version}_${findArchitecture()}.deb`);
  const start = async () => {
    service = there.spawn('coinfront', 'serve');
    await waitUntil('the chain is served', async () => {
      const answer = await fetch(`${origin}/api/v1/status`).catch(() => undefined);
      return answer?.headers.get('x-chain-height') === '3';
    });
  };
  const stop = async () => {
    service!.kill('SIGTERM');
    expect(await once(service!, 'exit')).toEqual([0, null]);
  };

  beforeAll(async () => {
    const folder = join(work, 'coinfront');
    mkdirSync(folder, { mode: 0o755 });
    [node] = await Promise.all([startNode(), layOutDeb(folder, '0.0.1')]);
    writeDeb(folder, work, '0.0.1');
    writeControl(join(folder, 'DEBIAN'), '0.0.2');
    writeDeb(folder, work, '0.0.2');
    await node.mine(3);
    origin = `http://127.0.0.1:${await findFreePort()}`;
  }, 300_000);
  afterAll(async () => {
    service?.kill('SIGKILL');
    await node?.stop();
    await there.close();
    rmSync(work, { recursive: true, force: true });
  });

  test('makes a user of its own with private folders, and starts nothing before there are settings', async () => {
    expect(await install('0.0.1')).toContain('coinfront init');
    expect(await stat('/var/lib/coinfront')).toBe('700 coinfront:coinfront');
    expect(await stat('/var/cache/coinfront')).toBe('700 coinfront:coinfront');
    expect(await stat('/etc/coinfront')).toBe('750 root:coinfront');
    expect(await run('getent', 'passwd', 'coinfront')).toMatch(/nologin\n$/);
    expect(await run('coinfront', '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('depends on the packages of all libraries that its Node is linked with', async () => {
    const depends = await run('dpkg-query', '--show', '--showformat=$'.concat('{Depends}'), 'coinfront');
    const linked = await run('ldd', '/usr/lib/coinfront/bin/node');
    const libraries = [...linked.matchAll(/^\s*(?:\/\S+\/)?([\w+.-]+\.so\.\d+)/gm)].map((match) => match[1]!);
    expect(libraries).toContain('libc.so.6');
    const ofC = /^(libc|libm|libdl|libpthread|librt|ld-linux[\w-]*|linux-vdso)\.so/;
    const others: Record<string, string> = {
      'libatomic.so.1': 'libatomic1',
      'libgcc_s.so.1': 'libgcc-s1',
      'libstdc++.so.6': 'libstdc++6',
    };
    for (const library of libraries) expect(depends).toContain(ofC.test(library) ? 'libc6' : others[library]);
  });

  test('init writes settings that the service and root read, and serve runs as its own user', async () => {
    const listen = new URL(origin).host;
    await run('coinfront', 'init', '--yes', '--node-url', node.url, '--listen', listen);
    expect(await stat('/etc/coinfront/coinfront.env')).toBe('640 root:coinfront');
    await start();
    expect(await exists('/var/cache/coinfront/compiled')).toBe(true);
    expect(await stat('/var/lib/coinfront/front.db')).toBe('600 coinfront:coinfront');
    expect(await run('coinfront', 'admin', 'merchant', 'create', '--name', 'A shop')).toContain('cfk_');
    const owners = await run('find', '/var/lib/coinfront', '-not', '-user', 'coinfront');
    expect(owners).toBe('');
  });

  test('an upgrade leaves settings and payments as they were', async () => {
    const before = await run('sha256sum', '/etc/coinfront/coinfront.env');
    await stop();
    await install('0.0.2');
    expect(await run('dpkg-query', '--show', 'coinfront')).toBe('coinfront\t0.0.2\n');
    expect(await run('sha256sum', '/etc/coinfront/coinfront.env')).toBe(before);
    await start();
    expect(await run('coinfront', 'admin', 'merchant', 'list')).toContain('A shop');
    await stop();
  });

  test.each(['coinfront.service', 'coinfront@.service', 'coinfront-backup.service'])(
    '%s is sound, and may do little',
    async (unit) => {
      const file = `/usr/lib/systemd/system/${unit}`;
      const verified = await there.run('systemd-analyze', 'verify', file);
      expect(verified.stderr.split('\n').filter((line) => line.includes('coinfront'))).toEqual([]);
      // Tenths of the exposure that systemd counts; most services of Debian have 90 and more.
      await run('systemd-analyze', 'security', '--offline=yes', '--threshold=11', file);
      const text = await run('cat', file);
      expect(text).not.toMatch(/@\w+@|MemoryDenyWriteExecute=/);
      expect(text).toContain('ProtectSystem=strict');
    },
  );

  test('removing takes the program and leaves settings and payments', async () => {
    await run('dpkg', '--remove', 'coinfront');
    expect(await exists('/usr/lib/coinfront')).toBe(false);
    expect(await exists('/etc/coinfront/coinfront.env')).toBe(true);
    expect(await exists('/var/lib/coinfront/front.db')).toBe(true);
  });

  test('purging takes settings and index, and says that payments stay', async () => {
    expect(await run('dpkg', '--purge', 'coinfront')).toContain('Kept: /var/lib/coinfront');
    expect(await exists('/etc/coinfront')).toBe(false);
    expect(await exists('/var/lib/coinfront/chain.db')).toBe(false);
    expect(await exists('/var/lib/coinfront/front.db')).toBe(true);
    // Who has nothing to keep keeps nothing.
    await run('rm', '-r', '/var/lib/coinfront');
    await install('0.0.2');
    await run('dpkg', '--purge', 'coinfront');
    expect(await exists('/var/lib/coinfront')).toBe(false);
    await expect(run('getent', 'passwd', 'coinfront')).rejects.toMatchObject({ code: 2 });
  });
});
