import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MeasuredProcess } from '../service-process.ts';
import { watchDisk } from './disk-use.ts';

/** A server on a port, as its command line says, whose child writes some megabytes and ends when it is told to. */
const SERVER = `
  const { spawn } = require('node:child_process');
  const [folder] = process.argv.slice(1);
  process.once('message', () => {
    const path = folder + '/written';
    const child = spawn(process.execPath, ['-e', \`
      require('node:fs').writeFileSync('\${path}', Buffer.alloc(8e6, 1), { flush: true });
      process.send('written');
      process.on('disconnect', () => process.exit());
    \`], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('message', () => process.send('written'));
    child.once('exit', () => process.send('ended'));
    process.once('message', () => child.disconnect());
  });
`;
const PORT = '45999';

test('what a process of a server wrote counts once, while it is there and when it has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinfront-disk-use-'));
  const server = spawn(process.execPath, ['-e', SERVER, '--', folder, '-p', PORT], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ask = async (): Promise<void> => {
    server.send('go on');
    await once(server, 'message');
  };
  try {
    await once(server, 'spawn');
    const disk = watchDisk({ pid: 0 } as MeasuredProcess, {
      dataDir: folder,
      databaseUrl: `postgres://127.0.0.1:${PORT}/none`,
    });
    const before = disk.writtenBytes();
    await ask();
    const written = disk.writtenBytes() - before;
    expect(written).toBeGreaterThanOrEqual(8e6);
    await ask();
    expect(disk.writtenBytes() - before).toBeLessThan(written * 1.5);
    expect(disk.writtenBytes() - before).toBeGreaterThanOrEqual(written);
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
