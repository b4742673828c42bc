import { open } from 'node:fs/promises';
import type { StatementSync } from 'node:sqlite';
import type { ColumnData, Writer } from './database.ts';
import type { CompiledStatement, SqliteConnection } from './sqlite.ts';
import type { Checkpoints } from './sqlite-checkpoints.ts';
import { type SqlValue, type Statement, sql } from './statement.ts';
import type { Table } from './table.ts';

/** The writing side of an SQLite connection: bulk operations are prepared statements run row by row. */
export function createSqliteWriter(
  connection: SqliteConnection,
  { log, checkpoints }: { log: string; checkpoints: Checkpoints },
  releaseLock: () => void,
): Writer {
  const { database, reader, compile } = connection;
  const bulk = new Map<Table, BulkStatements>();
  const statementsOf = (table: Table): BulkStatements => {
    const found = bulk.get(table);
    if (found) return found;
    const statements = describeBulk(table);
    bulk.set(table, statements);
    return statements;
  };

  return {
    ...reader,
    async begin() {
      database.exec('begin immediate');
    },
    async commit() {
      database.exec('commit');
      checkpoints.noteCommit();
    },
    async rollback() {
      // After a full disk or an I/O error SQLite has rolled back by itself.
      if (database.isTransaction) database.exec('rollback');
    },
    async sync() {
      // A checkpoint may have emptied it, and then the database is on the disk.
      const file = await open(log, 'r+').catch(() => undefined);
      await file?.datasync().finally(() => file.close());
    },
    async run(statement, params = []) {
      const { prepared, order } = compile(statement);
      prepared.run(...order.map((i) => params[i] ?? null));
    },
    async findRows(table, count, keys) {
      const { prepared } = compile(statementsOf(table).find);
      const rows: Record<string, SqlValue>[] = [];
      for (let i = 0; i < count; i++) {
        const row = prepared.get(...keys.map((column) => column[i]!));
        if (row) rows.push(row as Record<string, SqlValue>);
      }
      return rows;
    },
    async insert(table, count, columns) {
      const { insert, insertMany } = statementsOf(table);
      const together = table.columns.length <= NARROW_COLUMNS ? count - (count % ROWS_AT_ONCE) : 0;
      if (together > 0) runTogether(compile(insertMany).prepared, together, columns);
      runForEach(compile(insert), together, count, columns);
    },
    async upsert(table, count, columns) {
      runForEach(compile(statementsOf(table).upsert), 0, count, columns);
    },
    async update(table, count, columns) {
      runForEach(compile(statementsOf(table).update), 0, count, columns);
    },
    async delete(table, count, keys) {
      runForEach(compile(statementsOf(table).delete), 0, count, keys);
    },
    async close() {
      await checkpoints.close();
      database.close();
      releaseLock();
    },
  };
}

/**
 * Narrow rows are inserted so many at once: measured, a row of three numbers in the order of its key takes 0.3 µs then, and
 * 0.8 µs by itself. Of four, the balances behind each block, indexing tokens gains a tenth; for wider rows there is nothing to gain.
 */
const ROWS_AT_ONCE = 16;
const NARROW_COLUMNS = 4;

type BulkStatements = Record<
  'find' | 'insert' | 'insertMany' | 'upsert' | 'update' | 'delete',
  Statement<never>
>;

function describeBulk(table: Table): BulkStatements {
  const names = table.columns.map((column) => column.name);
  const values = names.map((_, i) => `$${i + 1}`).join(', ');
  const rest = names.filter((name) => !table.primaryKey.includes(name));
  const parameterOf = (name: string): string => `$${names.indexOf(name) + 1}`;
  const keyTest = table.primaryKey.map((name, i) => `${name} = $${i + 1}`).join(' and ');
  return {
    find: sql(`select ${names.join(', ')} from ${table.name} where ${keyTest}`, { bigints: true }),
    insert: sql(`insert into ${table.name} (${names.join(', ')}) values (${values})`),
    insertMany: sql(
      `insert into ${table.name} (${names.join(', ')}) values ${listRows(names.length, ROWS_AT_ONCE)}`,
    ),
    // Replacing a row writes all of its indexes; updating it only those whose columns change.
    upsert:
      table.indexes.length === 0 || rest.length === 0
        ? sql(`insert or replace into ${table.name} (${names.join(', ')}) values (${values})`)
        : sql(
            `insert into ${table.name} (${names.join(', ')}) values (${values})
             on conflict (${table.primaryKey.join(', ')}) do update
             set ${rest.map((name) => `${name} = excluded.${name}`).join(', ')}`,
          ),
    update: sql(
      `update ${table.name} set ${rest.map((name) => `${name} = ${parameterOf(name)}`).join(', ')}
       where ${table.primaryKey.map((name) => `${name} = ${parameterOf(name)}`).join(' and ')}`,
    ),
    delete: sql(`delete from ${table.name} where ${keyTest}`),
  };
}

/** Places of the parameters of many rows. */
function listRows(columns: number, rows: number): string {
  const row = (r: number) => Array.from({ length: columns }, (_, i) => `$${r * columns + i + 1}`).join(', ');
  return Array.from({ length: rows }, (_, r) => `(${row(r)})`).join(', ');
}

function runTogether(prepared: StatementSync, count: number, columns: readonly ColumnData[]): void {
  const width = columns.length;
  const values: SqlValue[] = new Array(width * ROWS_AT_ONCE).fill(null);
  for (let first = 0; first < count; first += ROWS_AT_ONCE) {
    for (let r = 0; r < ROWS_AT_ONCE; r++) {
      for (let c = 0; c < width; c++) values[r * width + c] = columns[c]![first + r]!;
    }
    prepared.run(...values);
  }
}

/**
 * Spelled out for narrow tables: calling with a spread array costs a third of the time of a small insert.
 */
function runForEach(
  { prepared, order }: CompiledStatement,
  first: number,
  count: number,
  columns: readonly ColumnData[],
): void {
  const [a, b, c, d, e] = order.map((i) => columns[i]!);
  if (order.length === 1) {
    for (let i = first; i < count; i++) prepared.run(a![i]!);
  } else if (order.length === 2) {
    for (let i = first; i < count; i++) prepared.run(a![i]!, b![i]!);
  } else if (order.length === 3) {
    for (let i = first; i < count; i++) prepared.run(a![i]!, b![i]!, c![i]!);
  } else if (order.length === 4) {
    for (let i = first; i < count; i++) prepared.run(a![i]!, b![i]!, c![i]!, d![i]!);
  } else if (order.length === 5) {
    for (let i = first; i < count; i++) prepared.run(a![i]!, b![i]!, c![i]!, d![i]!, e![i]!);
  } else {
    runWide(prepared, order, first, count, columns);
  }
}

function runWide(
  prepared: StatementSync,
  order: number[],
  first: number,
  count: number,
  columns: readonly ColumnData[],
): void {
  const values: SqlValue[] = new Array(order.length).fill(null);
  for (let i = first; i < count; i++) {
    for (let p = 0; p < values.length; p++) values[p] = columns[order[p]!]![i]!;
    prepared.run(...values);
  }
}
