import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { DatabaseDamagedError } from '../../service/src/db/damage.ts';
import { openRunFile } from '../../service/src/indexer/runs/run-file.ts';
import type { Run } from '../../service/src/indexer/runs/run-set.ts';
import { endOfPlaces, findPlace, listPlaces } from '../../service/src/indexer/tx-log/find-places.ts';
import { openTxLog } from '../../service/src/indexer/tx-log/tx-log.ts';
import type { TxPlace } from '../../service/src/indexer/tx-log/tx-place.ts';
import { openTxLogWriter } from '../../service/src/indexer/tx-log/write-tx-log.ts';
import { demand, type FuzzTarget, hex } from '../target.ts';
import { IDS_A_PAGE, makePages, writeSoundLog } from './sound-log.ts';

const HEAD_BYTES = 4;
const PATCH_BYTES = 6;
const APPENDED = 3;
/** What becomes of the file, besides what its patches do. */
const GONE = 1;
const ANOTHERS = 2;
const WRITTEN_ON = 4;
/** Of a segment that is written on: all that is added has room. */
const ROOM = 1 << 20;

const folder = mkdtempSync(joinPath(tmpdir(), 'coinfront-fuzz-log-'));
const sound = await writeSoundLog(folder);
const { segments, contents } = sound;
const files = [...contents.keys()];
/** Lists of places: from which id, to which, at most how many, and what they are. */
const lists = (
  [
    [0, sound.endOutput, Number.POSITIVE_INFINITY],
    [sound.endOutput >> 2, sound.endOutput >> 1, 40],
  ] as const
).map(([from, end, limit]) => ({
  from,
  end,
  limit,
  written: sound.places.filter(({ firstId }) => firstId >= from && firstId < end).slice(0, limit),
}));

/**
 * The log of transactions and the places of its pages on a disk that does not give back what was written. An input says which file
 * is damaged (1 byte) and whether it is gone, another segment's, or written on afterwards (1), how much of its end is missing (2), and what
 * else: at which place (2) lie the bytes from which other place (2), how many (1), or is one byte another (1).
 */
export const txLogTarget: FuzzTarget = {
  name: 'tx-log',
  reads: 'the log of transactions with damage anywhere',
  form: 'bytes',
  maxBytes: 64,
  replayed: 500,
  seeds: [
    hex('00000000'),
    hex('00040000'),
    hex('00010000'),
    hex('01020000'),
    hex('07050000'),
    hex('07040010'),
    hex('02000001'),
    hex('030000000020000000ff'),
    hex('03000000004001006000'),
    hex('080000000020000000ff'),
    hex('090000000000001000ff'),
  ],
  async check(input) {
    const number = (input[0] ?? 0) % files.length;
    const mode = input[1] ?? 0;
    const name = files[number]!;
    const path = joinPath(folder, name);
    let isSound = false;
    if ((mode & GONE) !== 0) rmSync(path);
    else {
      // Nothing in the file of a run says which run it is of; its name is never used twice.
      const isAnothers = (mode & ANOTHERS) !== 0 && number < segments.length;
      const from = isAnothers ? (number + 1) % segments.length : number;
      const bytes = damage(contents.get(files[from]!)!, input);
      isSound = hasEqual([bytes], [contents.get(name)!]);
      writeFileSync(path, bytes);
    }
    try {
      const told = readAll(number);
      demand(!isSound || told === 0, 'of what is not damaged nothing is told as damaged');
      if ((mode & WRITTEN_ON) !== 0) await writeOn();
      demand(countOpen() === 0, 'no file stays open');
    } finally {
      writeFileSync(path, contents.get(name)!);
    }
  },
  growing: {},
  async close() {
    rmSync(folder, { recursive: true });
  },
};

/**
 * Whatever is damaged, what is read is what was written; pages one by one of the damaged file alone, all of them at once.
 *
 * @returns how often it was told that the index is damaged
 */
function readAll(damagedFile: number): number {
  let told = 0;
  /** Reads, unless it is told that the index is damaged. */
  const look = <T>(what: string, read: () => T, isWritten: (found: T) => boolean): void => {
    let found: T;
    try {
      found = read();
    } catch (error) {
      if (!(error instanceof DatabaseDamagedError)) throw error;
      told++;
      return;
    }
    demand(isWritten(found), `${what} is what was written`);
  };
  let runs: Run[] = [];
  look(
    'the number of runs',
    () => (runs = openRuns()),
    ({ length }) => length === sound.runs.length,
  );
  if (runs.length === 0) return told;
  const log = openTxLog(folder, segments);
  const set = { runs, filters: new Map(), log, young: sound.young };
  try {
    for (const page of damagedFile < segments.length ? sound.pagesOf(damagedFile) : sound.places.keys()) {
      const written = sound.places[page]!;
      const findIt = () => findPlace(set, written.firstId + (page % IDS_A_PAGE));
      look('the place that is found', findIt, (place) => place !== undefined && isSame([place], [written]));
      look(
        'a page',
        () => log.read(written),
        (data) => hasEqual([data], [sound.data[page]!]),
      );
    }
    for (const { from, end, limit, written } of lists)
      look(
        'a list of places',
        () => listPlaces(set, from, end, limit),
        (places) => isSame(places, written),
      );
    look(
      'all pages at once',
      () => log.readMany(sound.places),
      (data) => hasEqual(data, sound.data),
    );
    look(
      'the end of the places',
      () => endOfPlaces(runs),
      (end) => end === sound.endOfRuns,
    );
    return told;
  } finally {
    log.close();
    for (const { file } of runs) file!.close();
  }
}

/** A damaged log is written on as any other: what is added is there, and of the rest is read what was written. */
async function writeOn(): Promise<void> {
  const all = [...segments];
  const writer = openTxLogWriter({
    folder,
    segments,
    end: sound.end,
    segmentBytes: ROOM,
    addSegment: async (at, name) => {
      all[at] = name;
    },
  });
  try {
    const pages = makePages(sound.places.length, APPENDED);
    const places = await writer.append(pages);
    const log = openTxLog(folder, all);
    try {
      const added = pages.map(({ data }) => data);
      demand(
        hasEqual(log.readMany(places), added),
        'what is added to a damaged log is read as it was written',
      );
    } finally {
      log.close();
    }
    readAll(segments.length - 1);
  } finally {
    writer.close();
    // It lets go of its file when nothing is under way any more.
    await Promise.resolve();
    const last = segments.at(-1)!;
    writeFileSync(joinPath(folder, last), contents.get(last)!);
    for (const name of all.slice(segments.length)) rmSync(joinPath(folder, name));
  }
}

function openRuns(): Run[] {
  const opened: Run[] = [];
  try {
    for (const run of sound.runs) opened.push({ ...run, file: openRunFile(folder, run.fileName, run) });
    return opened;
  } catch (error) {
    for (const { file } of opened) file!.close();
    throw error;
  }
}

function damage(content: Uint8Array, input: Uint8Array): Uint8Array {
  const missing = readUint16(input, 2);
  const bytes = Uint8Array.from(content.subarray(0, Math.max(0, content.length - missing)));
  for (let at = HEAD_BYTES; at + PATCH_BYTES <= input.length && bytes.length > 0; at += PATCH_BYTES) {
    const to = readUint16(input, at) % bytes.length;
    const from = readUint16(input, at + 2) % bytes.length;
    bytes.copyWithin(to, from, from + input[at + 4]!);
    bytes[to]! ^= input[at + 5]!;
  }
  return bytes;
}

function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

function isSame(places: readonly TxPlace[], written: readonly TxPlace[]): boolean {
  return (
    places.length === written.length &&
    places.every(({ firstId, height, position, at, length }, i) => {
      const other = written[i]!;
      return (
        firstId === other.firstId &&
        height === other.height &&
        position === other.position &&
        at === other.at &&
        length === other.length
      );
    })
  );
}

function hasEqual(pages: readonly Uint8Array[], written: readonly Uint8Array[]): boolean {
  return pages.length === written.length && pages.every((page, i) => Buffer.compare(page, written[i]!) === 0);
}

/** How many files of the folder this process holds open. */
function countOpen(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      // That by which the list was read is closed again.
      return false;
    }
  }).length;
}
