import type { ColumnData } from './database.ts';
import type { SqlValue } from './statement.ts';
import type { ColumnType } from './table.ts';

/** Object identifiers of the element types that are written in PostgreSQL's binary format. */
const BINARY_OIDS: Partial<Record<ColumnType, number>> = { int: 20, amount: 20, bytes: 17, text: 25 };
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

/**
 * A slice of a column as the parameter of an array: in the binary format, which takes half the bytes of text and no
 * parsing on the server; sums that may pass 64 bits as text.
 */
export function encodeArray(
  type: ColumnType,
  column: ColumnData,
  start: number,
  end: number,
): Buffer | string {
  const oid = BINARY_OIDS[type];
  if (oid === undefined) return encodeText(column, start, end);
  const values = type === 'text' ? encodeStrings(column, start, end) : column;
  const from = type === 'text' ? 0 : start;
  const count = end - start;
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + sizeOf(values, from, count));
  let at = HEADER_BYTES;
  let nulls = 0;
  for (let i = from; i < from + count; i++) {
    const value = values[i]!;
    if (value === null) {
      nulls = 1;
      at = bytes.writeInt32BE(NULL_LENGTH, at);
    } else if (value instanceof Uint8Array) {
      at = bytes.writeInt32BE(value.length, at);
      bytes.set(value, at);
      at += value.length;
    } else {
      at = bytes.writeInt32BE(8, at);
      at = bytes.writeBigInt64BE(BigInt(value), at);
    }
  }
  // One dimension, its length, and the index of its first element.
  for (const [i, word] of [1, nulls, oid, count, 1].entries()) bytes.writeInt32BE(word, i * 4);
  return bytes;
}

function sizeOf(values: ArrayLike<SqlValue>, from: number, count: number): number {
  let size = 0;
  for (let i = from; i < from + count; i++) {
    const value = values[i]!;
    size += 4 + (value === null ? 0 : value instanceof Uint8Array ? value.length : 8);
  }
  return size;
}

function encodeStrings(column: ColumnData, start: number, end: number): (Uint8Array | null)[] {
  const texts: (Uint8Array | null)[] = [];
  for (let i = start; i < end; i++) {
    const value = column[i]!;
    texts.push(value === null ? null : Buffer.from(String(value)));
  }
  return texts;
}

/** Numbers of any length need no quotes. */
function encodeText(column: ColumnData, start: number, end: number): string {
  const parts: string[] = [];
  for (let i = start; i < end; i++) parts.push(column[i] === null ? 'NULL' : String(column[i]));
  return `{${parts.join(',')}}`;
}
