import { readUint48, UINT48_BYTES, writeUint48 } from '../encoding/uint48.ts';
import { type RunKind, readUint32, writeUint32 } from './run-kinds.ts';

/**
 * A run is kept in pages. In tables each is a row whose number is that of the run and the place of its first entry: the page of an
 * entry is the last one whose number is not above the entry's, and no other index is needed to find it. In a file they are
 * numbered from 0 (run-file.ts).
 *
 * Format: flags (1 byte); the place of the next page (4 bytes, in tables, when there is one); for a page of `history` or `coin` that
 * begins within the entries of a script, the sums of those in the pages before it ({@link Sums}, 6 + 6 + 6 + 6 + 16 + 16 bytes); the entries.
 */

/** Of a row: two fill a page of PostgreSQL's tables. */
export const PAGE_BYTES = 3_900;

/** Pages of one run lie between its number times this and the next run's. */
export const PLACES = 2 ** 32;

const IS_LAST = 1;
const HAS_SUMS = 2;
const NEXT_BYTES = 4;
const SUMS_BYTES = 4 * UINT48_BYTES + 2 * 16;

/**
 * What entries of one script add up to. Of `history`: transactions, outputs that pay it, inputs that spend from it, and the two
 * sums; of `coin`: outputs made (`funded`) and spent.
 */
export type Sums = {
  txs: number;
  funded: number;
  spent: number;
  fundedSum: bigint;
  spentSum: bigint;
  /** The last transaction that is counted; -1 when there is none. */
  lastTx: number;
};

/** Sums of nothing. */
export function emptySums(): Sums {
  return { txs: 0, funded: 0, spent: 0, fundedSum: 0n, spentSum: 0n, lastTx: -1 };
}

/** A page as it is written and read. */
export type PageRow = { page: number; data: Uint8Array };

/** An opened page. */
export type RunPage = {
  readonly number: number;
  readonly data: Uint8Array;
  /** Where the entries begin. */
  readonly start: number;
  readonly count: number;
  /** Number of the next page of the run. */
  readonly next: number | undefined;
};

/** Encodes a page of a table. */
export function encodePage(
  entries: Uint8Array,
  nextPlace: number | undefined,
  sums: Sums | undefined,
): Uint8Array {
  const head = headBytes(nextPlace === undefined, sums !== undefined);
  const data = new Uint8Array(head + entries.length);
  data[0] = (nextPlace === undefined ? IS_LAST : 0) | (sums ? HAS_SUMS : 0);
  if (nextPlace !== undefined) writeUint32(data, 1, nextPlace);
  if (sums) writeSums(data, head - SUMS_BYTES, sums);
  data.set(entries, head);
  return data;
}

/** Writes a page of a file where it belongs. @returns how many bytes it has */
export function writeFilePage(
  to: Uint8Array,
  at: number,
  entries: Uint8Array,
  sums: Sums | undefined,
): number {
  const head = headBytes(true, sums !== undefined);
  to[at] = IS_LAST | (sums ? HAS_SUMS : 0);
  if (sums) writeSums(to, at + head - SUMS_BYTES, sums);
  to.set(entries, at + head);
  return head + entries.length;
}

/** Opens a page of a table. */
export function openPage(kind: RunKind, { page, data }: PageRow): RunPage {
  const flags = data[0]!;
  const isLast = (flags & IS_LAST) !== 0;
  const start = headBytes(isLast, (flags & HAS_SUMS) !== 0);
  return {
    number: page,
    data,
    start,
    count: (data.length - start) / kind.entryBytes,
    next: isLast ? undefined : page - (page % PLACES) + readUint32(data, 1),
  };
}

/** Opens a page of a file. */
export function openFilePage(
  data: Uint8Array,
  number: number,
  entryBytes: number,
  next: number | undefined,
): RunPage {
  const start = headBytes(true, (data[0]! & HAS_SUMS) !== 0);
  return { number, data, start, count: (data.length - start) / entryBytes, next };
}

/** The sums of what lies before a page of the script that its first entry belongs to; undefined where that is nothing. */
export function readSums({ data, start }: RunPage): Sums | undefined {
  if ((data[0]! & HAS_SUMS) === 0) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const at = start - SUMS_BYTES;
  return {
    txs: readUint48(data, at),
    funded: readUint48(data, at + 6),
    spent: readUint48(data, at + 12),
    lastTx: readUint48(data, at + 18) - 1,
    fundedSum: (view.getBigUint64(at + 24) << 64n) | view.getBigUint64(at + 32),
    spentSum: (view.getBigUint64(at + 40) << 64n) | view.getBigUint64(at + 48),
  };
}

/** Bytes in front of the entries, at most; and of kinds whose pages have no sums. */
export const MOST_HEAD_BYTES: number = headBytes(false, true);
export const MOST_PLAIN_HEAD_BYTES: number = headBytes(false, false);

function headBytes(isLast: boolean, hasSums: boolean): number {
  return 1 + (isLast ? 0 : NEXT_BYTES) + (hasSums ? SUMS_BYTES : 0);
}

/** The same as SQL, of a column. */
export function headBytesInSql(data: string): string {
  const flags = `get_byte(${data}, 0)`;
  const next = `case when ${flags} & ${IS_LAST} = 0 then ${NEXT_BYTES} else 0 end`;
  return `(1 + ${next} + case when ${flags} & ${HAS_SUMS} <> 0 then ${SUMS_BYTES} else 0 end)`;
}

function writeSums(data: Uint8Array, at: number, sums: Sums): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  writeUint48(data, at, sums.txs);
  writeUint48(data, at + 6, sums.funded);
  writeUint48(data, at + 12, sums.spent);
  writeUint48(data, at + 18, sums.lastTx + 1);
  view.setBigUint64(at + 24, sums.fundedSum >> 64n);
  view.setBigUint64(at + 32, sums.fundedSum & 0xffffffffffffffffn);
  view.setBigUint64(at + 40, sums.spentSum >> 64n);
  view.setBigUint64(at + 48, sums.spentSum & 0xffffffffffffffffn);
}

/** Compares `length` bytes: negative, 0 or positive. */
export function compareBytes(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, length: number): number {
  for (let i = 0; i < length; i++) {
    const difference = a[aAt + i]! - b[bAt + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Index of the first entry of a page that is not below `target`, comparing as many bytes as that has. */
export function findEntry(
  { entryBytes }: RunKind,
  { data, start, count }: RunPage,
  target: Uint8Array,
): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes(data, start + middle * entryBytes, target, 0, target.length) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
