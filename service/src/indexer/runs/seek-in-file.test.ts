import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUint48, writeUint48 } from '../encoding/uint48.ts';
import { beginRunFile } from './begin-run-file.ts';
import { createFreshEntries } from './fresh-entries.ts';
import { openRunFile, type RunFile } from './run-file.ts';
import { decodeDirectory, directoryLength, END_BYTES, encodeDirectory } from './run-file-format.ts';
import { spendRuns } from './run-kinds.ts';
import { findEntry } from './run-page.ts';
import { seekInFile } from './seek-in-file.ts';

const BLOCKS = { firstHeight: 0, lastHeight: 0 };
/** Of output n the transaction n + this is said to spend it. */
const SPENDER_AFTER = 7;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-seek-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The file of a run that spends outputs. */
async function writeSpends(outputIds: readonly number[]): Promise<{ fileName: string; file: RunFile }> {
  const fresh = createFreshEntries();
  fresh.addTx(new Uint8Array(32), 0, 0);
  for (const id of outputIds) fresh.addSpend(id, id + SPENDER_AFTER);
  const writing = beginRunFile(folder, 1);
  fresh.build(writing);
  await writing.addInOrder({ outputs: fresh.outputs, firstOutput: 0, places: [] });
  const { fileName, file } = await writing.finish(BLOCKS);
  return { fileName, file: file! };
}

/** Looks an output up. @returns what spends it, and how many pages were read for it */
function look(file: RunFile, outputId: number): { spender: number | undefined; pagesRead: number } {
  let pagesRead = 0;
  const target = new Uint8Array(6);
  writeUint48(target, 0, outputId);
  const counted: RunFile = {
    ...file,
    read(...args) {
      pagesRead++;
      return file.read(...args);
    },
  };
  const page = seekInFile(counted, spendRuns, target);
  const entry = findEntry(spendRuns, page, target);
  const at = page.start + entry * spendRuns.entryBytes;
  const isThere = entry < page.count && readUint48(page.data, at) === outputId;
  return { spender: isThere ? readUint48(page.data, at + 6) : undefined, pagesRead };
}

/** Outputs of long ago, so far apart as `span` says, and most of the latest ones. */
const unevenIds = fc
  .record({ span: fc.integer({ min: 20, max: 500_000 }), left: fc.integer({ min: 2, max: 9 }) })
  .map(({ span, left }) => [
    ...Array.from({ length: 2_000 }, (_, i) => i * span + ((i * 7_919) % span)),
    ...Array.from({ length: 9_000 }, (_, i) => 2_000 * span + i).filter((id) => id % left !== 0),
  ]);

test('what spends an output is found on the first page that is read, or the one beside it, however unevenly outputs are spent', async () => {
  await fc.assert(
    fc.asyncProperty(unevenIds, fc.nat(), async (ids, salt) => {
      const { file } = await writeSpends(ids);
      expect(file.countPages(spendRuns.code)).toBeGreaterThan(5);
      const spent = new Set(ids);
      const asked = ids.flatMap((id, i) => ((i + salt) % 17 === 0 ? [id, id + 1] : []));
      for (const id of asked) {
        const { spender, pagesRead } = look(file, id);
        expect(spender).toBe(spent.has(id) ? id + SPENDER_AFTER : undefined);
        expect(pagesRead).toBeLessThanOrEqual(2);
      }
      file.close();
    }),
    { numRuns: 15 },
  );
});

test('a file of before, whose sections do not say how dense their guides are, is read as it was', async () => {
  const ids = [5, 6, 2 ** 33];
  const { fileName, file } = await writeSpends(ids);
  file.close();
  const bytes = await readFile(join(folder, fileName));
  const end = bytes.subarray(-END_BYTES);
  const begin = bytes.length - END_BYTES - directoryLength(end)!;
  const { name, sections } = decodeDirectory(bytes.subarray(begin, -END_BYTES), end)!;
  const older = sections.map(({ guideStep: _, ...section }) => section);
  await writeFile(
    join(folder, fileName),
    Buffer.concat([bytes.subarray(0, begin), encodeDirectory({ name, sections: older })]),
  );
  const again = openRunFile(folder, fileName, BLOCKS);
  expect(again.guideOf(spendRuns.code).step).toBe(16);
  expect(ids.map((id) => look(again, id).spender)).toEqual(ids.map((id) => id + SPENDER_AFTER));
  again.close();
});
