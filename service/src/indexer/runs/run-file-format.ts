import { crc32 } from 'node:zlib';
import { runKinds } from './run-kinds.ts';
import { MOST_HEAD_BYTES } from './run-page.ts';

/**
 * The file of a run, as SQLite has them beside the database:
 *
 * | what | bytes |
 * |---|---|
 * | section after section, `tx`, `spend`, `history`, `coin`, the outputs and the places of transactions: its pages, a slot each | {@link SLOT_BYTES} each |
 * | behind the pages of a section: its guide, the places of the first entries of all its pages | 4 each |
 * | behind that, where it has one: its filter | |
 * | the directory: the name of the file, and where all of this lies, JSON | |
 * | its length and its CRC-32; what the file is | 4 + 4 + 8 |
 *
 * A slot: the CRC-32 of what follows, begun with the number of the page (4 bytes); how many bytes follow (2); a page as
 * `run-page.ts` has it. Numbers are little-endian.
 *
 * A section begins at a multiple of {@link SLOT_BYTES}, with zeros before it, so that a slot is one page of the disk and of its cache, not two.
 *
 * A file is written once, from its beginning to its end, and never changed. It says its own name, so that none is taken for another:
 * a whole file in the place of another has sound pages that are about other blocks.
 */
export const SLOT_BYTES = 4_096;
export const SLOT_HEAD_BYTES = 6;
export const MAGIC = 'cfrun\x00\x00\x03';
export const END_BYTES = 16;

/** Of `runKinds` each has the section of its code, and this is the one behind them. */
export const OUTPUTS: number = runKinds.length;

/** An output: the key of its script (16), its value (8). */
export const OUTPUT_ENTRY_BYTES = 24;
/** Bytes that the entries of a page have room for. */
export const SLOT_ROOM: number = SLOT_BYTES - SLOT_HEAD_BYTES - MOST_HEAD_BYTES;
/** All pages of outputs but the last have so many, so that the page of an output is known. */
export const OUTPUTS_A_SLOT: number = Math.floor(SLOT_ROOM / OUTPUT_ENTRY_BYTES);

/** In files of before guides had one of so many pages. */
export const OLD_GUIDE_STEP = 16;

/** Where the parts of a section lie. */
export type Section = {
  at: number;
  pages: number;
  /** One of so many pages is in the guide. Not said in files of before there was another than {@link OLD_GUIDE_STEP}. */
  guideStep?: number;
  guideAt: number;
  guideCrc: number;
  filterAt: number;
  filterBytes: number;
  filterCrc: number;
};

/** The name of a file, and its sections by their codes. */
export type Directory = { readonly name: string; readonly sections: readonly Section[] };

/** Closes a slot whose page has so many bytes. */
export function sealSlot(slot: Uint8Array, page: number, length: number): void {
  slot[4] = length & 0xff;
  slot[5] = length >>> 8;
  const sum = crc32(slot.subarray(4, SLOT_HEAD_BYTES + length), page);
  slot[0] = sum & 0xff;
  slot[1] = (sum >>> 8) & 0xff;
  slot[2] = (sum >>> 16) & 0xff;
  slot[3] = sum >>> 24;
}

/** The page in a slot; undefined where it is not what was written. */
export function openSlot(slot: Uint8Array, page: number): Uint8Array | undefined {
  const end = SLOT_HEAD_BYTES + (slot[4]! | (slot[5]! << 8));
  if (end > SLOT_BYTES || end === SLOT_HEAD_BYTES) return undefined;
  const sum = (slot[0]! | (slot[1]! << 8) | (slot[2]! << 16) | (slot[3]! << 24)) >>> 0;
  return crc32(slot.subarray(4, end), page) === sum ? slot.subarray(SLOT_HEAD_BYTES, end) : undefined;
}

/** The end of a file: its directory and what closes it. */
export function encodeDirectory(directory: Directory): Uint8Array {
  const text = Buffer.from(JSON.stringify(directory));
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(text.length, 0);
  end.writeUInt32LE(crc32(text), 4);
  end.write(MAGIC, 8, 'latin1');
  return Buffer.concat([text, end]);
}

/** How long the directory is that lies before these last bytes of a file; undefined where they are none. */
export function directoryLength(end: Buffer): number | undefined {
  return end.length === END_BYTES && end.toString('latin1', 8) === MAGIC ? end.readUInt32LE(0) : undefined;
}

/** Reads a directory; undefined where it is not what was written. */
export function decodeDirectory(text: Buffer, end: Buffer): Directory | undefined {
  if (crc32(text) !== end.readUInt32LE(4)) return undefined;
  return JSON.parse(text.toString()) as Directory;
}
