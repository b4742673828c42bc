import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { viewOf } from '../encoding/copy-entry.ts';
import { readUint48, writeUint48 } from '../encoding/uint48.ts';
import { beginRunFile } from './begin-run-file.ts';
import { createFreshEntries } from './fresh-entries.ts';
import { openGuide } from './guide.ts';
import { openRunFile, type RunFile } from './run-file.ts';
import { decodeDirectory, directoryLength, END_BYTES, encodeDirectory } from './run-file-format.ts';
import { COIN_OUTPUT_AT, COIN_SIGN_AT, coinRuns, type SectionKind, spendRuns } from './run-kinds.ts';
import { findEntry, type RunPage } from './run-page.ts';
import { seekInFile } from './seek-in-file.ts';

const BLOCKS = { firstHeight: 0, lastHeight: 0 };
/** Of output n the transaction n + this is said to spend it. */
const SPENDER_AFTER = 7;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-seek-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The file of a run. */
async function writeRun(
  add: (fresh: ReturnType<typeof createFreshEntries>) => void,
): Promise<{ fileName: string; file: RunFile }> {
  const fresh = createFreshEntries();
  fresh.addTx(viewOf(new Uint8Array(32)), 0, 0);
  add(fresh);
  const writing = beginRunFile(folder, 1);
  fresh.build(writing);
  await writing.addInOrder({ outputs: fresh.outputs, firstOutput: 0, places: [] });
  const { fileName, file } = await writing.finish(BLOCKS);
  return { fileName, file: file! };
}

/** The file of a run that spends outputs. */
function writeSpends(outputIds: readonly number[]): Promise<{ fileName: string; file: RunFile }> {
  return writeRun((fresh) => {
    for (const id of outputIds) fresh.addSpend(id, id + SPENDER_AFTER);
  });
}

/** Looks an entry up. @returns its page, and how many were read for it */
function seekCounted(
  file: RunFile,
  kind: SectionKind,
  target: Uint8Array,
): { page: RunPage; pagesRead: number } {
  let pagesRead = 0;
  const read: RunFile['read'] = (...args) => {
    pagesRead++;
    return file.read(...args);
  };
  const page = seekInFile({ ...file, read }, kind, target);
  return { page, pagesRead };
}

/** Looks an output up. @returns what spends it, and how many pages were read for it */
function look(file: RunFile, outputId: number): { spender: number | undefined; pagesRead: number } {
  const target = new Uint8Array(6);
  writeUint48(target, 0, outputId);
  const { page, pagesRead } = seekCounted(file, spendRuns, target);
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

/** A hub whose coins are on many pages, among scripts that have one each. */
const hubOf = fc.record({
  hub: fc.uint8Array({ minLength: 1, maxLength: 3 }),
  coins: fc.integer({ min: 500, max: 9_000 }),
});

/** A hub whose first coin is the first entry of a page. */
const beginsPage = Uint8Array.from([255, 224, 91]);

function keyOf(script: number): Uint8Array {
  return createHash('sha256').update(String(script)).digest().subarray(0, SCRIPT_KEY_BYTES);
}

function entryOf(key: Uint8Array, number: number): Uint8Array {
  const target = new Uint8Array(COIN_SIGN_AT);
  target.set(key);
  writeUint48(target, COIN_OUTPUT_AT, number);
  return target;
}

test('a coin is found on the first page that is read, and the first and the last one of a hub on the first few', async () => {
  await fc.assert(
    fc.asyncProperty(hubOf, async ({ hub, coins }) => {
      const others = Array.from({ length: 3_000 }, (_, i) => keyOf(i));
      const hubKey = createHash('sha256').update(hub).digest().subarray(0, SCRIPT_KEY_BYTES);
      const { file } = await writeRun((fresh) => {
        for (let id = 0; id < others.length + coins; id++)
          fresh.addCoin(viewOf(others[id] ?? hubKey), 0, id, false);
      });
      const all = readAllCoins(file);
      /** What {@link seekInFile} is to give back, by looking through all. */
      const expected = (target: Uint8Array): number =>
        Math.max(
          0,
          all.findLastIndex((first) => Buffer.compare(first.subarray(0, target.length), target) <= 0),
        );
      let read = 0;
      for (const [i, key] of others.entries()) {
        const { page, pagesRead } = seekCounted(file, coinRuns, entryOf(key, i));
        expect(page.number).toBe(expected(entryOf(key, i)));
        read += pagesRead;
      }
      expect(read / others.length).toBeLessThan(1.02);
      for (const number of [0, 2 ** 48 - 1]) {
        const { page, pagesRead } = seekCounted(file, coinRuns, entryOf(hubKey, number));
        expect(page.number).toBe(expected(entryOf(hubKey, number)));
        expect(pagesRead).toBeLessThanOrEqual(3);
      }
      const middle = entryOf(hubKey, others.length + (coins >> 1));
      expect(seekCounted(file, coinRuns, middle).page.number).toBe(expected(middle));
      file.close();
    }),
    { numRuns: 10, examples: [[{ hub: beginsPage, coins: 500 }], [{ hub: beginsPage, coins: 9_000 }]] },
  );
});

/** The first entries of all pages of coins. */
function readAllCoins(file: RunFile): Uint8Array[] {
  return Array.from({ length: file.countPages(coinRuns.code) }, (_, page) => {
    const { data, start } = file.read(coinRuns.code, page);
    return data.slice(start, start + coinRuns.entryBytes);
  });
}

test('a guide that is too large for memory has some of its pages, and the same ones are found', async () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => i * 37 + (i % 5));
  const { file } = await writeSpends(ids);
  const { places } = file.guideOf(spendRuns.code);
  expect(places.length).toBe(file.countPages(spendRuns.code));
  for (const most of [1, 7, 30, places.length - 1]) {
    const guide = openGuide(new Uint8Array(places.slice().buffer), 1, most);
    expect(guide.places.length).toBeLessThanOrEqual(most);
    const thinned: RunFile = { ...file, guideOf: () => guide };
    for (const id of ids.filter((_, i) => i % 11 === 0))
      expect(look(thinned, id).spender).toBe(id + SPENDER_AFTER);
  }
  file.close();
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
