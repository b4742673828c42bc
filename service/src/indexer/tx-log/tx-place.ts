import { readUint48, writeUint48 } from '../encoding/uint48.ts';
import { OUTPUTS } from '../runs/run-file-format.ts';
import { placesOfOutputs, readUint32, type SectionKind, writeUint32 } from '../runs/run-kinds.ts';

/**
 * Where a page of transactions lies (`tx-page.ts`). On SQLite the pages are in the segments of a log, files beside the database, and are
 * never changed or moved; their places are in the files of the runs, in the order of the chain.
 *
 * A page is found in the log behind its CRC-32 (4 bytes, little-endian), begun with the lower half of its first id, so that a page that
 * lies where another one should is none.
 */
export type TxPlace = {
  /** The id of the page's first transaction. */
  readonly firstId: number;
  readonly height: number;
  /** The index in the block of its first transaction. */
  readonly position: number;
  /** Number of the segment times {@link SEGMENT_SPAN} and the offset in it. */
  readonly at: number;
  /** Bytes of the page, without its CRC. */
  readonly length: number;
};

/** Offsets of one segment; it has fewer bytes. */
export const SEGMENT_SPAN: number = 2 ** 31;
export const PAGE_HEAD_BYTES = 4;
export const TX_PLACE_BYTES = 24;

/** Places as a section of a run's file, behind the outputs: first id (6), height (4), position (4), `at` (6), length (4). */
export const txPlaces: SectionKind = {
  code: OUTPUTS + 1,
  entryBytes: TX_PLACE_BYTES,
  keyBytes: 6,
  locate: (entry, at) => placesOfOutputs(readUint48(entry, at)),
};

/** Encodes places one behind the other. */
export function encodePlaces(places: readonly TxPlace[]): Uint8Array {
  const bytes = new Uint8Array(places.length * TX_PLACE_BYTES);
  for (const [i, { firstId, height, position, at, length }] of places.entries()) {
    const to = i * TX_PLACE_BYTES;
    writeUint48(bytes, to, firstId);
    writeUint32(bytes, to + 6, height);
    writeUint32(bytes, to + 10, position);
    writeUint48(bytes, to + 14, at);
    writeUint32(bytes, to + 20, length);
  }
  return bytes;
}

/** Decodes the place that begins at an offset. */
export function decodePlace(bytes: Uint8Array, at: number): TxPlace {
  return {
    firstId: readUint48(bytes, at),
    height: readUint32(bytes, at + 6),
    position: readUint32(bytes, at + 10),
    at: readUint48(bytes, at + 14),
    length: readUint32(bytes, at + 20),
  };
}

/** What the CRC of a page begins with. */
export function seedOf(firstId: number): number {
  return firstId % 2 ** 32;
}
