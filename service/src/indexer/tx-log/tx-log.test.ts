import { truncateSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTxLog } from './tx-log.ts';
import type { TxPlace } from './tx-place.ts';
import { openTxLogWriter, type TxLogWriter } from './write-tx-log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-tx-log-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Page = { firstId: number; height: number; position: number; data: Uint8Array };

/** What the database would hold of a log. */
type Known = { segments: string[]; end: number };

function openWriter(known: Known, segmentBytes: number): { log: TxLogWriter; segments: string[] } {
  const segments = [...known.segments];
  const log = openTxLogWriter({
    folder,
    segments: known.segments,
    end: known.end,
    segmentBytes,
    addSegment: async (number, name) => {
      expect(number).toBe(segments.length);
      segments.push(name);
    },
  });
  return { log, segments };
}

function makePages(count: number, firstId: number, length: number): Page[] {
  return Array.from({ length: count }, (_, i) => ({
    firstId: firstId + i,
    height: 7,
    position: i,
    data: new Uint8Array(1 + ((length * (i + 1)) % 5_000)).fill((firstId + i) % 251),
  }));
}

const batchArbitrary = fc.record({
  pages: fc.nat(6),
  length: fc.nat(9_000),
  /** What follows the batch: it is committed, undone, or the process is killed without either. */
  ends: fc.constantFrom('commit', 'commit', 'undo', 'kill'),
});

test('has all pages that were committed, however many batches were not, over any number of segments', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(batchArbitrary, { maxLength: 30 }),
      fc.constantFrom(1, 6_000, 1_000_000),
      async (batches, segmentBytes) => {
        let known: Known = { segments: [], end: 0 };
        const kept: { place: TxPlace; page: Page }[] = [];
        let writer = openWriter(known, segmentBytes);
        let firstId = 2 ** 33;
        const reader = openTxLog(folder, []);
        for (const { pages: count, length, ends } of batches) {
          const pages = makePages(count, firstId, length);
          const places = await writer.log.append(pages);
          if (ends === 'commit') {
            await writer.log.sync();
            known = { segments: [...writer.segments], end: writer.log.end };
            kept.push(...places.map((place, i) => ({ place, page: pages[i]! })));
            firstId += count;
          } else {
            if (ends === 'undo') writer.log.close();
            writer = openWriter(known, segmentBytes);
          }
        }
        expect(reader.follow(known.segments)).toBe(true);
        for (const { place, page } of kept) {
          expect(place).toMatchObject({ firstId: page.firstId, height: 7, position: page.position });
          expect(Buffer.compare(reader.read(place), page.data)).toBe(0);
        }
        const together = reader.readMany(kept.map(({ place }) => place));
        expect(together.map((data) => data.length)).toEqual(kept.map(({ page }) => page.data.length));
        for (const [i, data] of together.entries()) expect(Buffer.compare(data, kept[i]!.page.data)).toBe(0);
        reader.close();
        writer.log.close();
      },
    ),
    { numRuns: 60 },
  );
});

test('of another index is not followed: its segments have other names', async () => {
  const { log, segments } = openWriter({ segments: [], end: 0 }, 1_000);
  await log.append(makePages(3, 0, 900));
  const reader = openTxLog(folder, segments);
  expect(reader.follow(['txs-of-another'])).toBe(false);
  expect(reader.follow([...segments, 'txs-and-one-more'])).toBe(true);
  log.close();
});

test('says of which block transactions are missing where a file is cut, gone, or has other pages in their place', async () => {
  const { log, segments } = openWriter({ segments: [], end: 0 }, 1_000_000);
  const places = await log.append(makePages(3, 0, 900));
  log.close();
  const damage = {
    name: 'DatabaseDamagedError',
    message: expect.stringMatching(/transactions of block 7, from number 2 on, .*delete the index/),
  };
  const read = (names: readonly string[], place: TxPlace) => {
    const reader = openTxLog(folder, names);
    try {
      return reader.read(place);
    } finally {
      reader.close();
    }
  };
  const last = places[2]!;
  expect(read(segments, last).length).toBe(last.length);
  expect(() => read(segments, { ...last, firstId: 17 })).toThrow(expect.objectContaining(damage));
  expect(() => read(['txs-none'], last)).toThrow(expect.objectContaining(damage));
  expect(() => read([], last)).toThrow(expect.objectContaining(damage));
  truncateSync(join(folder, segments[0]!), last.at + 10);
  expect(() => read(segments, last)).toThrow(expect.objectContaining(damage));
});
