import type { SqlValue } from '../../db/statement.ts';
import { type Column, keyColumnsOf, type Table } from '../../db/table.ts';
import {
  readBigVarint,
  readVarint,
  reserve,
  type VarintReader,
  type VarintWriter,
  writeBigVarint,
  writeVarint,
} from '../encoding/varint.ts';
import type { PartRow } from './part.ts';
import { normalizeRow } from './part-rows.ts';

/** What a row of a state table was before a block; of one that was not there, only the key. */
export type UndoRow = { key: SqlValue[]; before: PartRow | undefined };

/** Packs the undo rows of one block and one table: each is a mark, then the key or the whole row, value by value. */
export type UndoPacker = {
  add(key: readonly SqlValue[], before: PartRow | undefined): void;
  /** The key of a row that was not there. */
  addKeyOf(row: PartRow): void;
  /** What a row of amounts was before; one of zero was not there. */
  addAmount(first: number, second: number, before: bigint): void;
  finish(): Uint8Array;
};

const FIRST_BYTES = 1_024;
const ABSENT = 0;
const PRESENT = 1;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Starts a pack. */
export function createUndoPacker(table: Table): UndoPacker {
  const keyColumns = keyColumnsOf(table);
  const writer: VarintWriter = { bytes: new Uint8Array(FIRST_BYTES), at: 0 };
  return {
    add(key, before) {
      writeVarint(writer, before ? PRESENT : ABSENT);
      if (before) {
        for (const column of table.columns) writeValue(writer, column, before[column.name]!);
      } else {
        for (let i = 0; i < key.length; i++) writeValue(writer, keyColumns[i]!, key[i]!);
      }
    },
    addKeyOf(row) {
      writeVarint(writer, ABSENT);
      for (let i = 0; i < keyColumns.length; i++)
        writeValue(writer, keyColumns[i]!, row[keyColumns[i]!.name]!);
    },
    addAmount(first, second, before) {
      writeVarint(writer, before === 0n ? ABSENT : PRESENT);
      writeInteger(writer, first);
      writeInteger(writer, second);
      if (before !== 0n) writeAmount(writer, before);
    },
    finish: () => writer.bytes.slice(0, writer.at),
  };
}

/** Reads a pack. */
export function readUndoRows(table: Table, bytes: Uint8Array): UndoRow[] {
  const keyColumns = keyColumnsOf(table);
  const reader: VarintReader = { bytes, at: 0 };
  const rows: UndoRow[] = [];
  while (reader.at < bytes.length) {
    if (readVarint(reader) === ABSENT) {
      rows.push({ key: keyColumns.map((column) => readValue(reader, column)), before: undefined });
      continue;
    }
    const before: PartRow = {};
    for (const column of table.columns) before[column.name] = readValue(reader, column);
    rows.push({ key: table.primaryKey.map((name) => before[name]!), before: normalizeRow(table, before) });
  }
  return rows;
}

/** Numbers carry their sign in the lowest bit, bytes and texts their length; what may be null, a mark before it. */
function writeValue(writer: VarintWriter, { type, nullable }: Column, value: SqlValue): void {
  if (nullable) {
    writeVarint(writer, value === null ? ABSENT : PRESENT);
    if (value === null) return;
  }
  if (type === 'int') writeInteger(writer, value as number);
  else if (type === 'amount') writeAmount(writer, value as bigint);
  else writeBytes(writer, value instanceof Uint8Array ? value : encoder.encode(value as string));
}

function readValue(reader: VarintReader, { type, nullable }: Column): SqlValue {
  if (nullable && readVarint(reader) === ABSENT) return null;
  if (type === 'int') return readInteger(reader);
  if (type === 'amount') return readAmount(reader);
  const length = readVarint(reader);
  const bytes = reader.bytes.slice(reader.at, reader.at + length);
  reader.at += length;
  return type === 'bytes' ? bytes : decoder.decode(bytes);
}

function writeInteger(writer: VarintWriter, value: number): void {
  if (value >= 0 && value <= 2 ** 51) writeVarint(writer, value * 2);
  else writeAmount(writer, BigInt(value));
}

function readInteger(reader: VarintReader): number {
  return Number(readAmount(reader));
}

function writeAmount(writer: VarintWriter, value: bigint): void {
  writeBigVarint(writer, value >= 0n ? value << 1n : (-value << 1n) | 1n);
}

function readAmount(reader: VarintReader): bigint {
  const packed = readBigVarint(reader);
  return (packed & 1n) === 0n ? packed >> 1n : -(packed >> 1n);
}

function writeBytes(writer: VarintWriter, bytes: Uint8Array): void {
  writeVarint(writer, bytes.length);
  reserve(writer, bytes.length);
  writer.bytes.set(bytes, writer.at);
  writer.at += bytes.length;
}
