import { randomBytes } from 'node:crypto';
import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { FinishedPage } from '../transactions/tx-page.ts';
import { PAGE_HEAD_BYTES, SEGMENT_SPAN, seedOf, type TxPlace } from './tx-place.ts';

/**
 * The end of the log behind its writer. What it appends is of no use to anybody until the database has a place for it: after a
 * rollback the log is opened anew, and that is written over.
 */
export type TxLogWriter = {
  /** Appends pages of one batch of blocks. @returns their places */
  append(pages: readonly (FinishedPage & { height: number })[]): Promise<TxPlace[]>;
  /** When it has returned, what was appended stays also where the machine stops. */
  sync(): Promise<void>;
  /** Behind the last page, as {@link TxPlace.at}. */
  readonly end: number;
  close(): void;
};

/** What is written is brought to the disk while more comes, so that a commit need not wait for much. */
const SYNC_EVERY_BYTES = 16 << 20;
/** A block or two. */
const KEPT_ROOM_BYTES = 2 << 20;
const OWNER_ONLY = 0o600;
/** Files of the log begin with this; those of runs do not. */
export const SEGMENT_PREFIX = 'txs-';
const syncData = promisify(fdatasync);

export type TxLogOptions = {
  folder: string;
  /** Names of the segments that the database knows, by their numbers. */
  segments: readonly string[];
  /** Where to go on: behind the last page that somebody may read, as {@link TxPlace.at}. */
  end: number;
  /** A segment gets no more when it has so many bytes. */
  segmentBytes: number;
  /** Notes the name of a new segment within the transaction under way. */
  addSegment: (number: number, name: string) => Promise<void>;
};

type Segment = { number: number; fd: number; used: number };

/** Opens the log for writing; whoever does is the only one. */
export function openTxLogWriter(options: TxLogOptions): TxLogWriter {
  const { folder, segmentBytes, addSegment } = options;
  let segment = openLast(options);
  let count = options.segments.length;
  let synced = segment?.used ?? 0;
  let isChanged = false;
  let syncing: Promise<void> | undefined;
  let room: Buffer | undefined;
  /** Room for a batch until it is written. */
  const roomFor = (bytes: number): Buffer => {
    if (bytes > KEPT_ROOM_BYTES) return Buffer.allocUnsafeSlow(bytes);
    room ??= Buffer.allocUnsafeSlow(KEPT_ROOM_BYTES);
    return room.subarray(0, bytes);
  };

  const beginSegment = async (): Promise<Segment> => {
    if (segment) await closeSynced(segment.fd);
    segment = undefined;
    const name = `${SEGMENT_PREFIX}${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
    const fd = openSync(join(folder, name), 'wx', OWNER_ONLY);
    segment = { number: count, fd, used: 0 };
    synced = 0;
    syncFolder(folder);
    await addSegment(count, name);
    count++;
    return segment;
  };
  const closeSynced = async (fd: number): Promise<void> => {
    await syncing;
    await syncData(fd);
    closeSync(fd);
  };
  /** Files stay open until the disk is done with them. */
  const remember = (done: Promise<void>): void => {
    syncing = done
      // Who waits for it is told; what failed ahead fails again then.
      .catch(() => {})
      .finally(() => {
        syncing = undefined;
      });
  };
  const syncAhead = ({ fd, used }: Segment): void => {
    if (syncing || used - synced < SYNC_EVERY_BYTES) return;
    synced = used;
    remember(syncData(fd));
  };

  return {
    async append(pages) {
      if (pages.length === 0) return [];
      const bytes = packPages(pages, roomFor);
      const fits = segment && segment.used < segmentBytes && segment.used + bytes.length <= SEGMENT_SPAN;
      const into = fits ? segment! : await beginSegment();
      const first = into.number * SEGMENT_SPAN + into.used;
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(into.fd, bytes, done, bytes.length - done, into.used + done);
      }
      into.used += bytes.length;
      isChanged = true;
      syncAhead(into);
      let at = first;
      return pages.map(({ firstId, height, position, data }) => {
        const place = { firstId, height, position, at, length: data.length };
        at += PAGE_HEAD_BYTES + data.length;
        return place;
      });
    },
    async sync() {
      await syncing;
      if (!segment || !isChanged) return;
      const { fd, used } = segment;
      isChanged = false;
      const done = syncData(fd);
      remember(done);
      try {
        await done;
        synced = used;
      } catch (error) {
        isChanged = true;
        throw error;
      }
    },
    get end() {
      return segment ? segment.number * SEGMENT_SPAN + segment.used : 0;
    },
    close() {
      const fd = segment?.fd;
      segment = undefined;
      // A file under way is closed when the disk has let go of it.
      if (fd !== undefined) void Promise.resolve(syncing).then(() => closeSync(fd));
    },
  };
}

/** The segment that the log ends with, without what was not committed. A file that is gone is missed by who reads it. */
function openLast({ folder, segments, end }: TxLogOptions): Segment | undefined {
  const number = segments.length - 1;
  if (number < 0) return undefined;
  const used = Math.floor(end / SEGMENT_SPAN) === number ? end % SEGMENT_SPAN : 0;
  try {
    const fd = openSync(join(folder, segments[number]!), 'r+');
    ftruncateSync(fd, used);
    return { number, fd, used };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function packPages(pages: readonly FinishedPage[], roomFor: (bytes: number) => Buffer): Buffer {
  const bytes = roomFor(pages.reduce((sum, { data }) => sum + PAGE_HEAD_BYTES + data.length, 0));
  let at = 0;
  for (const { firstId, data } of pages) {
    at = bytes.writeUInt32LE(crc32(data, seedOf(firstId)), at);
    bytes.set(data, at);
    at += data.length;
  }
  return bytes;
}

/** Without it a file may be gone after the machine stopped, however well it was written. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
