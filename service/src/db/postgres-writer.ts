import type pg from 'pg';
import type { ColumnData, Writer } from './database.ts';
import { encodeArray } from './postgres-array.ts';
import { canCopyInto, copyInto, createCopyEncoder } from './postgres-copy-in.ts';
import { queryRows, runQuery } from './postgres-query.ts';
import { createPostgresReader } from './postgres-reader.ts';
import { type SqlValue, type Statement, sql } from './statement.ts';
import { type Column, keyColumnsOf, postgresType, type Table } from './table.ts';

/** Rows and bytes sent in one statement. Bounds the size of one message; measured: 2,000 and 20,000 are equally fast. */
const CHUNK_ROWS = 5_000;
const CHUNK_BYTES = 2 * 2 ** 20;
/** Rows of so many bytes are copied. Fewer are inserted: a copy is planned each time, and asked for before it is sent. */
const COPIED_BYTES = 32 * 1024;
/** Of a row besides its bytes, so that a buffer for chunks has room for most. */
const ROW_BYTES = 64;

/**
 * The writing side of a PostgreSQL connection: bulk operations are set-based statements over `unnest`.
 *
 * A bulk operation is over when its last statement is sent: the server works on it while this side prepares what comes next.
 * Whatever follows waits for it first, and is told of its error; so is a commit.
 *
 * @param waitForOthers is awaited before each commit
 */
export function createPostgresWriter(
  client: pg.Client,
  waitForOthers: () => Promise<void> = async () => {},
): Writer & Required<Pick<Writer, 'checkSession'>> {
  const bulk = new Map<Table, BulkStatements>();
  const statementsOf = (table: Table): BulkStatements => {
    const found = bulk.get(table);
    if (found) return found;
    const statements = describeBulk(table);
    bulk.set(table, statements);
    return statements;
  };
  let underWay: Promise<unknown> | undefined;
  const settle = async (): Promise<void> => {
    const sent = underWay;
    underWay = undefined;
    await sent;
  };
  const query = async <Row>(statement: Statement<Row>, params: readonly unknown[]): Promise<Row[]> => {
    await settle();
    return await queryRows(client, statement, params);
  };
  const run = async (statement: Statement<unknown>, params: readonly unknown[] = []): Promise<void> => {
    await query(statement, params);
  };
  const runBulk = async (
    statement: Statement<never>,
    types: readonly Column[],
    count: number,
    columns: readonly ColumnData[],
  ): Promise<void> => {
    for (const { start, end } of listChunks(count, columns)) {
      const params = columns.map((column, i) => encodeArray(types[i]!.type, column, start, end));
      await settle();
      underWay = queryRows(client, statement, params);
      // Whoever comes next is told.
      underWay.catch(() => {});
    }
  };
  const encodeCopy = createCopyEncoder(CHUNK_BYTES + CHUNK_ROWS * ROW_BYTES);
  const insert = async (table: Table, count: number, columns: readonly ColumnData[]): Promise<void> => {
    if (!canCopyInto(table) || countBytes(columns, 0, count) < COPIED_BYTES) {
      await runBulk(statementsOf(table).insert, table.columns, count, columns);
      return;
    }
    for (const { start, end } of listChunks(count, columns)) {
      const message = encodeCopy(table, columns, start, end);
      await settle();
      underWay = copyInto(client, table, message);
      // Whoever comes next is told.
      underWay.catch(() => {});
    }
  };
  const reader = createPostgresReader(client);

  return {
    folder: undefined,
    all: (statement, params) => settle().then(() => reader.all(statement, params)),
    get: (statement, params) => settle().then(() => reader.get(statement, params)),
    lookup: (statement, keys) => settle().then(() => reader.lookup(statement, keys)),
    begin: () => run(BEGIN),
    async commit() {
      await waitForOthers();
      await run(COMMIT);
    },
    async rollback() {
      await settle().catch(() => {});
      await run(ROLLBACK);
    },
    // Its files are the server's affair.
    async sync() {},
    run: (statement, params = []) => run(statement, params),
    async findRows(table, count, keys) {
      const rows: Record<string, SqlValue>[] = [];
      const types = keyColumnsOf(table);
      for (const { start, end } of listChunks(count, keys)) {
        const params = keys.map((column, i) => encodeArray(types[i]!.type, column, start, end));
        rows.push(...(await query<Record<string, SqlValue>>(statementsOf(table).find, params)));
      }
      return rows;
    },
    insert,
    upsert: (table, count, columns) => runBulk(statementsOf(table).upsert, table.columns, count, columns),
    update: (table, count, columns) => runBulk(statementsOf(table).update, table.columns, count, columns),
    delete: (table, count, keys) => runBulk(statementsOf(table).delete, keyColumnsOf(table), count, keys),
    async listen(channel, onMessage) {
      client.on('notification', (told) => {
        if (told.channel === channel) onMessage(told.payload ?? '');
      });
      await settle();
      await runQuery(client, { text: `listen ${client.escapeIdentifier(channel)}` });
    },
    async checkSession() {
      // Nobody's statement under way is waited for here: its own caller is to hear of its error.
      await runQuery(client, { text: 'select 1' });
    },
    async close() {
      await settle().finally(() => client.end());
    },
  };
}

const BEGIN = sql('begin');
const COMMIT = sql('commit');
const ROLLBACK = sql('rollback');

type BulkStatements = Record<'find' | 'insert' | 'upsert' | 'update' | 'delete', Statement<never>>;

function describeBulk(table: Table): BulkStatements {
  const names = table.columns.map((column) => column.name).join(', ');
  const rows = `unnest(${parameters(table.columns)})`;
  const keys = keyColumnsOf(table);
  const rest = table.columns.filter((column) => !table.primaryKey.includes(column.name));
  const assignments = (from: string) => rest.map(({ name }) => `${name} = ${from}.${name}`).join(', ');
  const keyNames = table.primaryKey.join(', ');
  const joined = table.primaryKey.map((name) => `t.${name} = k.${name}`).join(' and ');
  return {
    find: sql(
      `select ${table.columns.map(({ name }) => `t.${name}`).join(', ')} from ${table.name} t
       join unnest(${parameters(keys)}) as k(${keyNames}) on ${joined}`,
      { bigints: true },
    ),
    insert: sql(`insert into ${table.name} (${names}) select * from ${rows}`),
    upsert: sql(`insert into ${table.name} (${names}) select * from ${rows} on conflict (${keyNames}) do
      ${rest.length === 0 ? 'nothing' : `update set ${assignments('excluded')}`}`),
    update: sql(`update ${table.name} t set ${assignments('k')} from ${rows} as k(${names}) where ${joined}`),
    delete: sql(
      `delete from ${table.name} t using unnest(${parameters(keys)}) as k(${keyNames}) where ${joined}`,
    ),
  };
}

/** Slices of columns that make messages of bounded size. */
function* listChunks(
  count: number,
  columns: readonly ColumnData[],
): Generator<{ start: number; end: number }> {
  for (let start = 0; start < count; ) {
    let bytes = 0;
    let end = start;
    while (end < count && end < start + CHUNK_ROWS && bytes < CHUNK_BYTES) {
      bytes += countBytes(columns, end, end + 1);
      end++;
    }
    yield { start, end };
    start = end;
  }
}

/** Bytes of the wide values of rows. */
function countBytes(columns: readonly ColumnData[], start: number, end: number): number {
  let bytes = 0;
  for (const column of columns) {
    // A column has wide values, or it has none.
    if (typeof column[start] === 'number' || typeof column[start] === 'bigint') continue;
    for (let row = start; row < end; row++) {
      const value = column[row];
      if (value instanceof Uint8Array) bytes += value.length;
    }
  }
  return bytes;
}

function parameters(columns: readonly Column[]): string {
  return columns.map((column, i) => `$${i + 1}::${postgresType(column)}[]`).join(', ');
}
