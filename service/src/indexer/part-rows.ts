import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { SqlValue } from '../db/statement.ts';
import type { ColumnType, Table } from '../db/table.ts';
import type { PartRow } from './part.ts';

/**
 * A row as the engines agree on it: columns in the order of the table, each value in the form of its type. What a part
 * finds, and what is kept for undoing, must not depend on whether the row comes from memory or from the database.
 */
export function normalizeRow({ columns }: Table, row: PartRow): PartRow {
  const normal: PartRow = {};
  for (const { name, type } of columns) normal[name] = normalizeValue(type, row[name] ?? null);
  return normal;
}

function normalizeValue(type: ColumnType, value: SqlValue): SqlValue {
  if (value === null || value instanceof Uint8Array) return value;
  if (type === 'int') return Number(value);
  return type === 'amount' ? BigInt(value) : String(value);
}

/** The primary key of a row. */
export function keyOfRow({ primaryKey }: Table, row: PartRow): SqlValue[] {
  return primaryKey.map((name) => row[name] ?? null);
}

/** A key as text, to find it in memory. Lengths keep the values apart; the table says their types. */
export function keyText(key: readonly SqlValue[]): string {
  if (key.length === 1) return valueText(key[0]!);
  let text = '';
  for (const value of key) {
    const each = valueText(value);
    text += `${each.length}:${each}`;
  }
  return text;
}

function valueText(value: SqlValue): string {
  if (!(value instanceof Uint8Array)) return String(value);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
}

/** A row in one line, equal for equal rows of both engines. */
export function describeRow(table: Table, row: PartRow): string {
  const normal = normalizeRow(table, row);
  return table.columns
    .map(({ name }) => {
      const value = normal[name]!;
      return `${name}=${value instanceof Uint8Array ? bytesToHex(value) : String(value)}`;
    })
    .join(' ');
}
