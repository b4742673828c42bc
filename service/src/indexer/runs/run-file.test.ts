import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DatabaseDamagedError } from '../../db/damage.ts';
import { openRunFile } from './run-file.ts';

/** What this process has open in a folder, on Linux. */
async function listOpen(folder: string): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}

test('a file that is no run, or cut short, is told of by its blocks, and does not stay open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-run-file-'));
  try {
    await writeFile(join(folder, 'empty'), '');
    await writeFile(join(folder, 'other'), 'no run at all'.repeat(1_000));
    for (const name of ['empty', 'other', 'missing']) {
      const open = () => openRunFile(folder, name, { firstHeight: 7, lastHeight: 9 });
      expect(open).toThrow(DatabaseDamagedError);
      expect(open).toThrow(`of the run of blocks 7 to 9 (${name})`);
    }
    expect(await listOpen(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
