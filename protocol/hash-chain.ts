import { sha256 as sha256Noble } from '@noble/hashes/sha2.js';
import { compareBytes, concatBytes } from './bytes.ts';
import { prefixed, type StateRow } from './canonical.ts';
import { sha256 } from './hash.ts';
import { MAX_LEB128_BYTES, writeLeb128 } from './leb128.ts';

/** chain(h) of every height below a protocol's activation: 32 zero bytes. */
export const CHAIN_START: Uint8Array = new Uint8Array(32);

/** state(h) is computed for every height that this divides, and on request. */
export const STATE_HASH_INTERVAL = 1000;

/**
 * events(h): SHA-256 over the canonical bytes of a block's valid events, in order, each with its length before it.
 *
 * @param hash SHA-256; a runtime's own is several times as fast
 */
export function hashEvents(events: Iterable<Uint8Array>, hash: typeof sha256 = sha256): Uint8Array {
  const all = [...events];
  const room = all.reduce((sum, event) => sum + MAX_LEB128_BYTES + event.length, 0);
  const bytes = new Uint8Array(room);
  let at = 0;
  for (const event of all) {
    at = writeLeb128(bytes, at, event.length);
    bytes.set(event, at);
    at += event.length;
  }
  return hash(bytes.subarray(0, at));
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
