import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Blocks on disk: `blocks.dat` has their bytes, back to back; `blocks.idx` has 48 bytes a block: hash (internal byte
 * order), offset (-1 where the bytes are not kept), size, transactions.
 */
export type BlockLog = {
  /** Height of the first block in it. */
  firstHeight: number;
  lastHeight: number;
  /** Internal byte order; a view. */
  hashAt(height: number): Uint8Array;
  /** Transactions of the blocks from the first one to this one. */
  transactionsTo(height: number): number;
  /** Whether the bytes of a block are kept. */
  has(height: number): boolean;
  /** The block's bytes, or the first `most` of them. Throws when they are not kept. */
  read(height: number, most?: number): Buffer;
  close(): void;
};

/** Appends blocks to new files; `close` makes the index whole. */
export type BlockLogWriter = {
  append(block: { hash: Uint8Array; bytes: Uint8Array; transactions: number }, keep?: boolean): void;
  close(): void;
};

const ENTRY_BYTES = 48;
const OFFSET_AT = 32;
const SIZE_AT = 40;
const COUNT_AT = 44;
const BUFFER_BYTES = 8 << 20;
const NOT_KEPT = -1;

/** Begins a log in a folder; what was there is overwritten. */
export function createBlockLog(dir: string): BlockLogWriter {
  const file = openSync(join(dir, 'blocks.dat'), 'w');
  const buffer = Buffer.alloc(BUFFER_BYTES);
  const entries: Buffer[] = [];
  let pending = 0;
  let offset = 0;
  const flush = (): void => {
    writeAll(file, buffer.subarray(0, pending));
    pending = 0;
  };
  return {
    append({ hash, bytes, transactions }, keep = true) {
      const entry = Buffer.alloc(ENTRY_BYTES);
      entry.set(hash);
      entry.writeDoubleLE(keep ? offset : NOT_KEPT, OFFSET_AT);
      entry.writeUInt32LE(bytes.length, SIZE_AT);
      entry.writeUInt32LE(transactions, COUNT_AT);
      entries.push(entry);
      if (!keep) return;
      offset += bytes.length;
      if (pending + bytes.length > BUFFER_BYTES) flush();
      if (bytes.length > BUFFER_BYTES) writeAll(file, bytes);
      else {
        buffer.set(bytes, pending);
        pending += bytes.length;
      }
    },
    close() {
      flush();
      closeSync(file);
      writeFileSync(join(dir, 'blocks.idx'), Buffer.concat(entries));
    },
  };
}

/** Opens the log of a folder. Throws when there is none. */
export function openBlockLog(dir: string, firstHeight: number): BlockLog {
  const index = readFileSync(join(dir, 'blocks.idx'));
  const count = index.length / ENTRY_BYTES;
  const file = openSync(join(dir, 'blocks.dat'), 'r');
  const transactions = new Float64Array(count);
  for (let i = 0, sum = 0; i < count; i++) {
    sum += index.readUInt32LE(i * ENTRY_BYTES + COUNT_AT);
    transactions[i] = sum;
  }
  const entryAt = (height: number): number => {
    const i = height - firstHeight;
    if (i < 0 || i >= count) throw new Error(`${dir} has no block of height ${height}.`);
    return i * ENTRY_BYTES;
  };
  const offsetOf = (height: number): number => index.readDoubleLE(entryAt(height) + OFFSET_AT);
  return {
    firstHeight,
    lastHeight: firstHeight + count - 1,
    hashAt(height) {
      const at = entryAt(height);
      return index.subarray(at, at + 32);
    },
    transactionsTo: (height) => transactions[entryAt(height) / ENTRY_BYTES]!,
    has: (height) => offsetOf(height) !== NOT_KEPT,
    read(height, most = Number.POSITIVE_INFINITY) {
      const offset = offsetOf(height);
      if (offset === NOT_KEPT) throw new Error(`${dir} does not keep the block of height ${height}.`);
      const size = index.readUInt32LE(entryAt(height) + SIZE_AT);
      const bytes = Buffer.allocUnsafeSlow(Math.min(size, most));
      for (let done = 0; done < bytes.length; ) {
        const got = readSync(file, bytes, done, bytes.length - done, offset + done);
        if (got === 0) throw new Error(`${dir} ends within the block of height ${height}: remove it.`);
        done += got;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
