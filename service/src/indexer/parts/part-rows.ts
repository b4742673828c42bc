import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { SqlValue } from '../../db/statement.ts';
import type { Column, ColumnType, Table } from '../../db/table.ts';
import type { PartRow } from './part.ts';

/**
 * Brings a row into the form on which the engines agree: every column is there, each value in the form of its type. What
 * a part finds, and what is kept for undoing, must not depend on whether the row comes from memory or from the database.
 *
 * @returns the same row, changed where it has to be: a copy of each would take longer than to write it
 */
export function normalizeRow({ columns }: Table, row: PartRow): PartRow {
  for (let i = 0; i < columns.length; i++) normalizeValue(row, columns[i]!);
  return row;
}

/** Brings one value of a row into that form, and gives it. */
export function normalizeValue(row: PartRow, { name, type }: Column): SqlValue {
  const value = row[name];
  if (value === null || (value !== undefined && isOfType(type, value))) return value;
  const normal = value === undefined ? null : convert(type, value);
  row[name] = normal;
  return normal;
}

function isOfType(type: ColumnType, value: Exclude<SqlValue, null>): boolean {
  if (type === 'int') return typeof value === 'number';
  if (type === 'amount') return typeof value === 'bigint';
  return type === 'bytes' || typeof value === 'string';
}

function convert(type: ColumnType, value: Exclude<SqlValue, null>): SqlValue {
  if (value instanceof Uint8Array) return value;
  if (type === 'int') return Number(value);
  return type === 'amount' ? BigInt(value) : String(value);
}

/** The primary key of a row. */
export function keyOfRow({ primaryKey }: Table, row: PartRow): SqlValue[] {
  return primaryKey.map((name) => row[name] ?? null);
}

/** Two numbers of a key below these make one safe integer. */
const FIRST_LIMIT = 2 ** 33;
const SECOND_LIMIT = 2 ** 20;

/**
 * A key as one value, to find it in memory: different for different keys of a table. Numbers stay numbers where they can,
 * for a map finds them in half the time that a text takes; lengths keep the values of a text apart.
 */
export function memoryKey(key: readonly SqlValue[]): string | number {
  const [first, second] = key;
  if (key.length === 1) return typeof first === 'number' ? first : valueText(first!);
  if (key.length === 2 && typeof first === 'number' && typeof second === 'number') {
    if (first >= 0 && first < FIRST_LIMIT && second >= 0 && second < SECOND_LIMIT)
      return first * SECOND_LIMIT + second;
  }
  let text = '';
  for (const value of key) {
    const each = valueText(value);
    text += `${each.length}:${each}`;
  }
  return text;
}

/** Short bytes are copied here before they become text: a view for each costs more. */
const scratch = Buffer.alloc(128);

function valueText(value: SqlValue): string {
  if (!(value instanceof Uint8Array)) return String(value);
  if (value.length > scratch.length) return Buffer.from(value).toString('latin1');
  scratch.set(value);
  return scratch.toString('latin1', 0, value.length);
}

/** A row in one line, equal for equal rows of both engines. */
export function describeRow(table: Table, row: PartRow): string {
  const normal = normalizeRow(table, { ...row });
  return table.columns
    .map(({ name }) => {
      const value = normal[name]!;
      return `${name}=${value instanceof Uint8Array ? bytesToHex(value) : String(value)}`;
    })
    .join(' ');
}
