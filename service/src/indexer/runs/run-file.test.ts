import { copyFile, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DatabaseDamagedError } from '../../db/damage.ts';
import { viewOf } from '../encoding/copy-entry.ts';
import { beginRunFile } from './begin-run-file.ts';
import { createFreshEntries } from './fresh-entries.ts';
import { openRunFile } from './run-file.ts';
import { decodeDirectory, directoryLength, END_BYTES, SLOT_BYTES } from './run-file-format.ts';

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

/** Writes the file of a run with one transaction. @returns its name */
async function writeRun(folder: string, height: number): Promise<string> {
  const fresh = createFreshEntries();
  fresh.addTx(viewOf(new Uint8Array(32).fill(height)), 0, height);
  fresh.addSpend(height - 1, height);
  fresh.addOutputs(new Uint8Array(16).fill(height), BigInt64Array.of(BigInt(height)));
  const writing = beginRunFile(folder, height);
  fresh.build(writing);
  await writing.addInOrder({ outputs: fresh.outputs, firstOutput: height, places: [] });
  const { fileName, file } = await writing.finish({ firstHeight: height, lastHeight: height });
  file!.close();
  return fileName;
}

test('every section begins where a page of the disk does: no slot takes two', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-run-file-'));
  try {
    const bytes = await readFile(join(folder, await writeRun(folder, 1)));
    const end = bytes.subarray(-END_BYTES);
    const directory = decodeDirectory(bytes.subarray(-END_BYTES - directoryLength(end)!, -END_BYTES), end)!;
    expect(directory.sections.filter(({ pages }) => pages > 0).length).toBeGreaterThan(2);
    expect(directory.sections.map(({ at }) => at % SLOT_BYTES)).toEqual(directory.sections.map(() => 0));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a whole file in the place of another is told of: its pages are sound, and about other blocks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-run-file-'));
  try {
    const [first, second] = [await writeRun(folder, 1), await writeRun(folder, 2)];
    await copyFile(join(folder, first), join(folder, second));
    const open = () => openRunFile(folder, second, { firstHeight: 2, lastHeight: 2 });
    expect(open).toThrow(DatabaseDamagedError);
    expect(open).toThrow(`of the run of blocks 2 to 2 (${second})`);
    openRunFile(folder, first, { firstHeight: 1, lastHeight: 1 }).close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
