import { sha256 as sha256Noble } from '@noble/hashes/sha2.js';
import { compareBytes, concatBytes } from './bytes.ts';
import { CanonicalBytes, prefixed, type StateRow } from './canonical.ts';
import { sha256 } from './hash.ts';
import { leb128Bytes, MAX_LEB128_BYTES, writeLeb128 } from './leb128.ts';

/** chain(h) of every height below a protocol's activation: 32 zero bytes. */
export const CHAIN_START: Uint8Array = new Uint8Array(32);

/** state(h) is computed for every height that this divides, and on request. */
export const STATE_HASH_INTERVAL = 1000;

/** The valid events of a block as events(h) takes them: the canonical bytes of each, with their length before them. */
export type EventLog = {
  /** Adds an event. @param write writes its canonical bytes */
  add(write: (bytes: CanonicalBytes) => void): void;
  /** events(h). @param hash SHA-256; a runtime's own is several times as fast */
  hash(hash?: typeof sha256): Uint8Array;
};

/** Most events have a length of 128 to 16,383. */
const USUAL_PREFIX_BYTES = 2;

/** Starts the log of a block. */
export function createEventLog(): EventLog {
  const log = new CanonicalBytes(1_024);
  return {
    add(write) {
      const start = log.at;
      log.reserve(MAX_LEB128_BYTES);
      log.at += USUAL_PREFIX_BYTES;
      write(log);
      const length = log.at - start - USUAL_PREFIX_BYTES;
      const prefix = leb128Bytes(length);
      if (prefix !== USUAL_PREFIX_BYTES) {
        log.reserve(prefix);
        log.bytes.copyWithin(start + prefix, start + USUAL_PREFIX_BYTES, log.at);
        log.at = start + prefix + length;
      }
      writeLeb128(log.bytes, start, length);
    },
    hash: (hash = sha256) => hash(log.bytes.subarray(0, log.at)),
  };
}

/**
 * events(h): SHA-256 over the canonical bytes of a block's valid events, in order, each with its length before it.
 *
 * @param hash SHA-256; a runtime's own is several times as fast
 */
export function hashEvents(events: Iterable<Uint8Array>, hash: typeof sha256 = sha256): Uint8Array {
  const log = createEventLog();
  for (const event of events) log.add((bytes) => bytes.raw(event));
  return log.hash(hash);
}

/** Bytes that are hashed at once: each call costs more than the hashing of an event. */
const GATHERED_BYTES = 16_384;

/** SHA-256 over many small pieces. */
function createGatheringHasher(): { add(piece: Uint8Array): void; finish(): Uint8Array } {
  const hasher = sha256Noble.create();
  const gathered = new Uint8Array(GATHERED_BYTES);
  let length = 0;
  const flush = (): void => {
    hasher.update(gathered.subarray(0, length));
    length = 0;
  };
  return {
    add(piece) {
      if (length + piece.length > GATHERED_BYTES) flush();
      if (piece.length > GATHERED_BYTES) hasher.update(piece);
      else {
        gathered.set(piece, length);
        length += piece.length;
      }
    },
    finish() {
      flush();
      return hasher.digest();
    },
  };
}

/** chain(h) = SHA-256(chain(h-1) || block_hash(h) || events(h)); the block hash in internal byte order. */
export function nextChainHash(previous: Uint8Array, blockHash: Uint8Array, events: Uint8Array): Uint8Array {
  return sha256(concatBytes(previous, blockHash, events));
}

/** Hashes live state row by row, so that it never has to be in memory as a whole. */
export type StateHasher = {
  /** @throws Error when a row does not come after the one before it. */
  add(row: StateRow): void;
  /** The hash; nothing can be added after it. */
  finish(): Uint8Array;
};

/** state(h): SHA-256 over the rows of the live state in their order; of no rows, that of nothing. */
export function createStateHasher(): StateHasher {
  const hasher = createGatheringHasher();
  let last: StateRow | undefined;
  return {
    add(row) {
      if (last && compareStateRows(last, row) >= 0) throw new Error('state rows are out of order');
      last = row;
      hasher.add(Uint8Array.of(row.kind));
      hasher.add(prefixed(row.key));
      hasher.add(prefixed(row.value));
    },
    finish: hasher.finish,
  };
}

/** state(h) of rows in any order. */
export function hashState(rows: Iterable<StateRow>): Uint8Array {
  const hasher = createStateHasher();
  for (const row of [...rows].sort(compareStateRows)) hasher.add(row);
  return hasher.finish();
}

/** Order of rows: by kind, then by key as unsigned bytes. */
export function compareStateRows(a: StateRow, b: StateRow): number {
  return a.kind - b.kind || compareBytes(a.key, b.key);
}
