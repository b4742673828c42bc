import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DatabaseDamagedError } from '../../db/damage.ts';
import type { DiskPace } from '../disk/disk-pace.ts';
import { createPageRoom } from '../disk/page-room.ts';
import type { RunFile } from '../runs/run-file.ts';
import { SLOT_BYTES } from '../runs/run-file-format.ts';
import type { RunPage } from '../runs/run-page.ts';
import { PAGE_HEAD_BYTES, SEGMENT_SPAN, seedOf, type TxPlace, txPlaces } from './tx-place.ts';

/** The log of transactions for who reads it, with what was lately read of the places that runs have. */
export type TxLog = {
  /** Notes how long reads take; undefined where nobody asks. */
  readonly pace: DiskPace | undefined;
  /**
   * Tells of the segments that there are by now.
   * @returns false where they are those of another log: this one is of an index that was deleted
   */
  follow(segments: readonly string[]): boolean;
  /**
   * Reads a page. It takes 4 µs where the file is in memory; a row of a table of SQLite takes 15.
   * @throws DatabaseDamagedError where it is not what was written
   */
  read(place: TxPlace): Uint8Array;
  /** Reads pages, at once where they are neighbours. */
  readMany(places: readonly TxPlace[]): Uint8Array[];
  /** Reads a page of places of a run, or remembers it. */
  readPlaces(file: RunFile, page: number): RunPage;
  /** Whether it remembers one. */
  holdsPlaces(file: RunFile, page: number): boolean;
  /** Has a page of transactions brought to memory without waiting for it; does nothing where there is no pace. */
  touch(place: TxPlace): Promise<void>;
  close(): void;
};

/**
 * 4 KB each, of some 2,000 transactions: 64 MB are those of thirty million. Where a page lies is asked for with each transaction that an
 * answer names, so what is not held is one more page to read for each.
 */
const PLACE_PAGES_HELD = 16_384;
/** Neighbours that are read at once. */
const BYTES_AT_ONCE = 1 << 20;

const forgotten = new FinalizationRegistry<Map<number, number>>(closeAll);

/**
 * Opens the log whose segments lie in a folder.
 * @param names of the segments, by their numbers
 * @param pace notes how long pages take
 */
export function openTxLog(folder: string, names: readonly string[], pace?: DiskPace): TxLog {
  let segments = names;
  const files = new Map<number, number>();
  const held = holdPages(PLACE_PAGES_HELD);
  const roomFor = createPageRoom();
  const open = (place: TxPlace): number => {
    const number = Math.floor(place.at / SEGMENT_SPAN);
    const known = files.get(number);
    if (known !== undefined) return known;
    const name = segments[number];
    if (name === undefined) return fail(place);
    try {
      const fd = openSync(join(folder, name), 'r');
      files.set(number, fd);
      return fd;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fail(place);
      throw error;
    }
  };
  const fill = (bytes: Uint8Array, place: TxPlace): Uint8Array => {
    const fd = open(place);
    for (let done = 0; done < bytes.length; ) {
      const read = tryRead(fd, bytes, done, bytes.length - done, (place.at % SEGMENT_SPAN) + done);
      if (read === 0) fail(place);
      done += read;
    }
    return bytes;
  };
  const readBytes = (place: TxPlace, length: number): Uint8Array => {
    const bytes = roomFor(length);
    return pace ? pace.timed(length, () => fill(bytes, place)) : fill(bytes, place);
  };
  const log: TxLog = {
    pace,
    follow(found) {
      if (segments.some((name, number) => found[number] !== name)) return false;
      segments = found;
      return true;
    },
    read: (place) => openPage(place, readBytes(place, PAGE_HEAD_BYTES + place.length)),
    readMany(places) {
      const pages: Uint8Array[] = [];
      for (let first = 0; first < places.length; first = pages.length) {
        const { end, length } = joinNeighbours(places, first);
        const bytes = readBytes(places[first]!, length);
        for (let at = 0; pages.length < end; ) {
          const place = places[pages.length]!;
          const next = at + PAGE_HEAD_BYTES + place.length;
          pages.push(openPage(place, bytes.subarray(at, next)));
          at = next;
        }
      }
      return pages;
    },
    readPlaces: (file, page) => held.read(file, page),
    holdsPlaces: (file, page) => held.has(file, page),
    async touch(place) {
      await pace?.fetch(open(place), place.at % SEGMENT_SPAN, PAGE_HEAD_BYTES + place.length);
    },
    close() {
      closeAll(files);
    },
  };
  forgotten.register(log, files);
  return log;
}

/** How many places from `first` on lie one behind the other, and how long they are together. */
function joinNeighbours(places: readonly TxPlace[], first: number): { end: number; length: number } {
  const { at } = places[first]!;
  let length = 0;
  let end = first;
  for (let place = places[end]; place && place.at === at + length; place = places[end]) {
    if (end > first && length + place.length > BYTES_AT_ONCE) break;
    length += PAGE_HEAD_BYTES + place.length;
    end++;
  }
  return { end, length };
}

function openPage(place: TxPlace, bytes: Uint8Array): Uint8Array {
  const data = bytes.subarray(PAGE_HEAD_BYTES);
  const sum = (bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24)) >>> 0;
  return crc32(data, seedOf(place.firstId)) === sum ? data : fail(place);
}

function fail({ height, position }: TxPlace): never {
  throw new DatabaseDamagedError(
    `the index is damaged: transactions of block ${height}, from number ${position} on, are missing in the log or not what ` +
      'was written; delete the index to have it rebuilt',
  );
}

/** What the disk does not give back counts as what is not there. */
function tryRead(fd: number, into: Uint8Array, offset: number, length: number, at: number): number {
  try {
    return readSync(fd, into, offset, length, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') return 0;
    throw error;
  }
}

function closeAll(files: Map<number, number>): void {
  for (const fd of files.values()) closeSync(fd);
  files.clear();
}

type HeldPages = {
  read(file: RunFile, page: number): RunPage;
  has(file: RunFile, page: number): boolean;
};

/** Holds so many pages of places; the one that came first goes first. */
function holdPages(most: number): HeldPages {
  // By name: a file that is read ahead is another object.
  const pages = new Map<string, Map<number, RunPage>>();
  const order: { name: string; page: number }[] = [];
  let next = 0;
  const drop = ({ name, page }: { name: string; page: number }): void => {
    const of = pages.get(name)!;
    of.delete(page);
    if (of.size === 0) pages.delete(name);
  };
  return {
    has: ({ name }, page) => pages.get(name)?.has(page) ?? false,
    read(file, page) {
      const { name } = file;
      const known = pages.get(name)?.get(page);
      if (known) return known;
      // In memory of its own: it stays for long, and would hold the slab of many others.
      const found = file.read(txPlaces.code, page, new Uint8Array(SLOT_BYTES));
      if (order[next]) drop(order[next]!);
      order[next] = { name, page };
      next = (next + 1) % most;
      const of = pages.get(name) ?? new Map<number, RunPage>();
      of.set(page, found);
      pages.set(name, of);
      return found;
    },
  };
}
