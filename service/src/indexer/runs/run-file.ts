import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DatabaseDamagedError } from '../../db/damage.ts';
import type { DiskPace } from '../disk/disk-pace.ts';
import { createPageRoom } from '../disk/page-room.ts';
import { TX_PLACE_BYTES } from '../tx-log/tx-place.ts';
import { type Guide, openGuide } from './guide.ts';
import {
  decodeDirectory,
  directoryLength,
  END_BYTES,
  OLD_GUIDE_STEP,
  OUTPUT_ENTRY_BYTES,
  openSlot,
  type Section,
  SLOT_BYTES,
} from './run-file-format.ts';
import type { RunFilter } from './run-filter.ts';
import { runKinds } from './run-kinds.ts';
import { openFilePage, type RunPage } from './run-page.ts';

/** An open file of a run. Reads wait for the disk: a page that is in memory takes 3 µs, in a table of SQLite 15. */
export type RunFile = {
  readonly name: string;
  /** Notes how long reads of pages take; undefined where nobody asks. */
  readonly pace: DiskPace | undefined;
  /** How many pages a section has. */
  countPages(section: number): number;
  /**
   * The guide of a section, read when it is first asked for.
   * @throws DatabaseDamagedError where it is not what was written
   */
  guideOf(section: number): Guide;
  /**
   * Reads a page.
   * @param scratch room for a slot that the page may be left in until its next use; without it the page has room of its own
   * @throws DatabaseDamagedError where it is not what was written
   */
  read(section: number, page: number, scratch?: Uint8Array): RunPage;
  /**
   * Reads neighbouring pages at once; fewer than there is room for where there are no more.
   * @param into room for their slots, which they are left in until its next use
   */
  readMany(section: number, first: number, into: Uint8Array): RunPage[];
  /** Has a page brought to memory without waiting for it; does nothing where there is no pace. */
  touch(section: number, page: number): Promise<void>;
  /** Bytes of a section's filter; 0 where it has none. */
  filterBytes(section: number): number;
  readFilter(section: number): RunFilter | undefined;
  close(): void;
};

const ENTRY_BYTES: readonly number[] = [
  ...runKinds.map(({ entryBytes }) => entryBytes),
  OUTPUT_ENTRY_BYTES,
  TX_PLACE_BYTES,
];
const SECTION_NAMES: readonly string[] = [...runKinds.map(({ name }) => name), 'output', 'tx place'];

/** Room for pages that are kept over a wait. */
const roomFor = createPageRoom();

/** Whoever forgets a file lets go of it, too. */
const forgotten = new FinalizationRegistry<number>(closeSync);

/** Blocks that a run has, for messages. */
export type FileBlocks = { readonly firstHeight: number; readonly lastHeight: number };

/**
 * Opens the file of a run.
 * @param pace notes how long pages take
 * @throws DatabaseDamagedError where it is missing, cut short, or not what was written
 */
export function openRunFile(folder: string, name: string, blocks: FileBlocks, pace?: DiskPace): RunFile {
  const fail = (what: string): never => {
    throw new DatabaseDamagedError(
      `the index is damaged: ${what} of the run of blocks ${blocks.firstHeight} to ${blocks.lastHeight} (${name}) is ` +
        'missing or not what was written; delete the index to have it rebuilt',
    );
  };
  const fd = open(join(folder, name), fail);
  /** @returns false where the file ends before */
  const fill = (bytes: Uint8Array, at: number): boolean => {
    for (let done = 0; done < bytes.length; ) {
      const read = tryRead(fd, bytes, done, bytes.length - done, at + done);
      if (read === 0) return false;
      done += read;
    }
    return true;
  };
  const sections = openOrClose(fd, () => readDirectory(fd, name, fail));
  const readGuide = (section: number): Guide => {
    const { guideAt, guideCrc, guideStep: step = OLD_GUIDE_STEP, pages } = sections[section]!;
    const bytes = new Uint8Array(Math.ceil(pages / step) * 4);
    if (fill(bytes, guideAt) && crc32(bytes) === guideCrc) return openGuide(bytes, step);
    return fail(`the guide of ${SECTION_NAMES[section]}`);
  };
  /** By section. */
  const guides: (Guide | undefined)[] = [];
  const placeOf = (section: number, page: number): number => sections[section]!.at + page * SLOT_BYTES;
  const failAt = (section: number, page: number): never => fail(`page ${page} of ${SECTION_NAMES[section]}`);
  const openPage = (slot: Uint8Array, section: number, page: number): RunPage => {
    const data = openSlot(slot, page) ?? failAt(section, page);
    const next = page + 1 < sections[section]!.pages ? page + 1 : undefined;
    return openFilePage(data, page, ENTRY_BYTES[section]!, next);
  };

  const readFilter = (section: number): RunFilter | undefined => {
    const { filterAt, filterBytes, filterCrc } = sections[section]!;
    if (filterBytes === 0) return undefined;
    const filter = new Uint8Array(filterBytes);
    if (fill(filter, filterAt) && crc32(filter) === filterCrc) return filter;
    return fail(`the filter of ${SECTION_NAMES[section]}`);
  };

  const file: RunFile = {
    name,
    pace,
    countPages: (section) => sections[section]!.pages,
    guideOf: (section) => (guides[section] ??= readGuide(section)),
    read(section, page, scratch = roomFor(SLOT_BYTES)) {
      const at = placeOf(section, page);
      const isRead = pace ? pace.timed(SLOT_BYTES, () => fill(scratch, at)) : fill(scratch, at);
      return isRead ? openPage(scratch, section, page) : failAt(section, page);
    },
    readMany(section, first, into) {
      const most = Math.min(into.length / SLOT_BYTES, sections[section]!.pages - first);
      if (most <= 0) return [];
      const bytes = into.subarray(0, most * SLOT_BYTES);
      if (!fill(bytes, placeOf(section, first))) failAt(section, first);
      return Array.from({ length: most }, (_, i) =>
        openPage(bytes.subarray(i * SLOT_BYTES, (i + 1) * SLOT_BYTES), section, first + i),
      );
    },
    touch: async (section, page) => pace?.fetch(fd, placeOf(section, page), SLOT_BYTES),
    filterBytes: (section) => sections[section]!.filterBytes,
    readFilter,
    close() {
      forgotten.unregister(file);
      closeSync(fd);
    },
  };
  forgotten.register(file, fd, file);
  return file;
}

function open(path: string, fail: (what: string) => never): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fail('the file');
    throw error;
  }
}

/** A damaged file is tried again and again: it must not stay open each time. */
function openOrClose<T>(fd: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    closeSync(fd);
    throw error;
  }
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

function readDirectory(fd: number, name: string, fail: (what: string) => never): readonly Section[] {
  const { size } = fstatSync(fd);
  const end = Buffer.alloc(END_BYTES);
  const length =
    size < END_BYTES ? undefined : tryRead(fd, end, 0, END_BYTES, size - END_BYTES) && directoryLength(end);
  if (!length || length > size - END_BYTES) return fail('the end');
  const text = Buffer.alloc(length);
  if (tryRead(fd, text, 0, length, size - END_BYTES - length) < length) return fail('the directory');
  const directory = decodeDirectory(text, end);
  return directory?.name === name ? directory.sections : fail('the directory');
}
