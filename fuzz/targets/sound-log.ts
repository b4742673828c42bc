import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginRunFile } from '../../service/src/indexer/runs/begin-run-file.ts';
import { createFreshEntries } from '../../service/src/indexer/runs/fresh-entries.ts';
import type { Run } from '../../service/src/indexer/runs/run-set.ts';
import { SEGMENT_SPAN, type TxPlace } from '../../service/src/indexer/tx-log/tx-place.ts';
import { openTxLogWriter } from '../../service/src/indexer/tx-log/write-tx-log.ts';
import { createRandom } from '../engine/random.ts';

/** Ids of a page begin so far behind those of the one before. */
export const IDS_A_PAGE = 10;

/** A log as it was written: some of its places are in the files of runs, the last ones in none yet. */
export type SoundLog = {
  readonly segments: readonly string[];
  /** Their files are closed again. */
  readonly runs: readonly Run[];
  readonly young: readonly TxPlace[];
  /** Of all pages: where they are, and what they hold. */
  readonly places: readonly TxPlace[];
  readonly data: readonly Uint8Array[];
  /** As `TxPlace.at`: behind all pages, and behind those of the runs. */
  readonly end: number;
  readonly endOfRuns: number;
  /** The first id behind all pages. */
  readonly endOutput: number;
  /** The pages of a segment, by their numbers. */
  pagesOf(segment: number): number[];
  /** By name of the file. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
};

/** Pages of the runs, the second of which has more than one page of places, and of neither. */
const RUN_PAGES = [60, 200] as const;
const YOUNG_PAGES = 40;
const BATCH_PAGES = 10;
const SEGMENT_BYTES = 4_000;
const MOST_PAGE_BYTES = 160;

/** Writes a log of some segments with two runs. */
export async function writeSoundLog(folder: string): Promise<SoundLog> {
  const segments: string[] = [];
  const writer = openTxLogWriter({
    folder,
    segments: [],
    end: 0,
    segmentBytes: SEGMENT_BYTES,
    addSegment: async (_, name) => void segments.push(name),
  });
  const places: TxPlace[] = [];
  const data: Uint8Array[] = [];
  const append = async (count: number): Promise<TxPlace[]> => {
    const added: TxPlace[] = [];
    for (let done = 0; done < count; done += BATCH_PAGES) {
      const pages = makePages(places.length, Math.min(BATCH_PAGES, count - done));
      const found = await writer.append(pages);
      places.push(...found);
      added.push(...found);
      data.push(...pages.map((page) => page.data));
    }
    return added;
  };
  const runs: Run[] = [];
  for (const [id, count] of RUN_PAGES.entries()) {
    const firstPage = places.length;
    runs.push(await writeRun(folder, id, firstPage, await append(count)));
  }
  const endOfRuns = writer.end;
  const young = await append(YOUNG_PAGES);
  const { end } = writer;
  await writer.sync();
  writer.close();
  const files = [...segments, ...runs.map(({ fileName }) => fileName)];
  return {
    segments,
    runs,
    young,
    places,
    data,
    end,
    endOfRuns,
    endOutput: places.length * IDS_A_PAGE,
    pagesOf: (segment) =>
      places.flatMap(({ at }, page) => (Math.floor(at / SEGMENT_SPAN) === segment ? [page] : [])),
    contents: new Map(files.map((name) => [name, readFileSync(join(folder, name))])),
  };
}

/** Pages as blocks have them, the same for the same number of the first one. */
export function makePages(
  first: number,
  count: number,
): { firstId: number; height: number; position: number; data: Uint8Array }[] {
  return Array.from({ length: count }, (_, i) => {
    const random = createRandom(first + i + 1);
    return {
      firstId: (first + i) * IDS_A_PAGE,
      height: (first + i) >> 2,
      position: ((first + i) & 3) * IDS_A_PAGE,
      data: Uint8Array.from({ length: 1 + random.below(MOST_PAGE_BYTES) }, () => random.below(256)),
    };
  });
}

async function writeRun(folder: string, id: number, firstPage: number, places: TxPlace[]): Promise<Run> {
  const firstHeight = places[0]!.height;
  const lastHeight = places.at(-1)!.height;
  const writing = beginRunFile(folder, id);
  createFreshEntries().build(writing);
  const firstOutput = firstPage * IDS_A_PAGE;
  await writing.addInOrder({ outputs: new Uint8Array(0), firstOutput, places });
  const { fileName, file } = await writing.finish({ firstHeight, lastHeight });
  file!.close();
  return {
    id,
    firstHeight,
    lastHeight,
    firstOutput,
    endOutput: firstOutput + places.length * IDS_A_PAGE,
    txs: places.length,
    entries: [],
    keys: [],
    file: undefined,
    fileName,
  };
}
