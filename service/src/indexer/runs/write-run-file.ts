import { closeSync, fdatasync, fsync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { createRoomPool } from '../disk/room-pool.ts';
import {
  encodeDirectory,
  type Section,
  SLOT_BYTES,
  SLOT_HEAD_BYTES,
  SLOT_ROOM,
  sealSlot,
} from './run-file-format.ts';
import type { SectionKind } from './run-kinds.ts';
import { writeFilePage } from './run-page.ts';
import type { PageSink, RunTarget } from './run-target.ts';

/** The file of a run while it is written. */
export type RunFileWriter = RunTarget & {
  /** Begins a section behind those of the kinds; {@link RunTarget.end} ends it. */
  beginMore(section: SectionKind): PageSink;
  /**
   * Ends the file. When this has returned, it stays also where the machine stops.
   * @throws Error of the file system: the file is to be abandoned then
   */
  finish(): Promise<void>;
  /** Removes the file, finished or not. */
  abandon(): void;
};

const CHUNK_SLOTS = 256;
/** What is written is brought to the disk while more comes, so that the end need not wait for much. */
const SYNC_EVERY_BYTES = 64 << 20;
const OWNER_ONLY = 0o600;
/** For a new run, and one that is merged meanwhile. */
const chunkRooms = createRoomPool(CHUNK_SLOTS * SLOT_BYTES, 2);
const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);

/** Makes the file of a run, of which the name must be new. */
export function createRunFile(folder: string, name: string): RunFileWriter {
  const path = join(folder, name);
  const fd = openSync(path, 'wx', OWNER_ONLY);
  // The disk has the time while the file is filled.
  const folderSynced = syncFolder(folder);
  // Who finishes the file is told.
  folderSynced.catch(() => {});
  const chunk = chunkRooms.take();
  const sections: Section[] = [];
  let guide: number[] = [];
  let used = 0;
  let written = 0;
  let synced = 0;
  let syncing: Promise<void> | undefined;
  let isOpen = true;

  const write = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, written + at);
    written += bytes.length;
  };
  const flush = (): void => {
    write(chunk.subarray(0, used));
    used = 0;
  };
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(fd);
    chunkRooms.giveBack(chunk);
  };

  const openSection = (kind: SectionKind): PageSink => {
    flush();
    write(new Uint8Array((SLOT_BYTES - (written % SLOT_BYTES)) % SLOT_BYTES));
    const section = {
      at: written,
      pages: 0,
      guideStep: 1,
      guideAt: 0,
      guideCrc: 0,
      filterAt: 0,
      filterBytes: 0,
      filterCrc: 0,
    };
    sections.push(section);
    guide = [];
    return {
      room: SLOT_ROOM,
      add({ entries, sums }) {
        if (used === chunk.length) flush();
        const slot = chunk.subarray(used, used + SLOT_BYTES);
        const length = writeFilePage(slot, SLOT_HEAD_BYTES, entries, sums);
        slot.fill(0, SLOT_HEAD_BYTES + length);
        sealSlot(slot, section.pages, length);
        guide.push(kind.locate(entries, 0));
        section.pages++;
        used += SLOT_BYTES;
      },
    };
  };
  const closeSection = (filter: Uint8Array | undefined): void => {
    flush();
    const section = sections.at(-1)!;
    const guideBytes = new Uint8Array(Uint32Array.from(guide).buffer);
    section.guideAt = written;
    section.guideCrc = crc32(guideBytes);
    write(guideBytes);
    if (filter === undefined) return;
    section.filterAt = written;
    section.filterBytes = filter.length;
    section.filterCrc = crc32(filter);
    write(filter);
  };

  return {
    begin: openSection,
    end: closeSection,
    beginMore: openSection,
    async drain() {
      if (syncing || written - synced < SYNC_EVERY_BYTES) return;
      synced = written;
      syncing = syncData(fd)
        // What failed fails again at the end, where it is told.
        .catch(() => {})
        .finally(() => {
          syncing = undefined;
        });
    },
    async finish() {
      write(encodeDirectory({ name, sections }));
      await syncing;
      await syncData(fd);
      await folderSynced;
      close();
    },
    abandon() {
      // A file under way is closed when the disk has let go of it.
      void Promise.resolve(syncing).then(close);
      rmSync(path, { force: true });
    },
  };
}

/** Without it a file may be gone after the machine stopped, however well it was written. */
async function syncFolder(folder: string): Promise<void> {
  const fd = openSync(folder, 'r');
  try {
    await syncAll(fd);
  } finally {
    closeSync(fd);
  }
}
