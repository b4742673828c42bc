/** Kysely over Node's own SQLite: one connection, statements compiled once, transactions that write from the start. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { keepPlan, type SqlValue } from './statement.ts';

/** Queries of one text are compiled once; lists of changing length make ever new texts, so the memory is bounded. */
const KEPT_STATEMENTS = 500;

/** The dialect of the SQLite file that `open` gives. */
export function createNodeSqliteDialect(open: () => DatabaseSync): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => createDriver(open),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class TransactionalAdapter extends SqliteAdapter {
  // A migration is whole or is not: SQLite's definitions are transactional.
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(open: () => DatabaseSync): Driver {
  let database: DatabaseSync | undefined;
  let connection: DatabaseConnection | undefined;
  return {
    async init() {
      database = open();
      connection = createConnection(database);
    },
    async acquireConnection() {
      return connection!;
    },
    async beginTransaction() {
      // A transaction that reads first and writes later could find that another process wrote between.
      database!.exec('begin immediate');
    },
    async commitTransaction() {
      database!.exec('commit');
    },
    async rollbackTransaction() {
      database!.exec('rollback');
    },
    async releaseConnection() {},
    async destroy() {
      database?.close();
    },
  };
}

function createConnection(database: DatabaseSync): DatabaseConnection {
  const compiled = new Map<string, StatementSync>();
  const compile = (text: string): StatementSync => {
    const known = compiled.get(text);
    if (known) return known;
    if (compiled.size >= KEPT_STATEMENTS) compiled.clear();
    const statement = database.prepare(keepPlan(text));
    compiled.set(text, statement);
    return statement;
  };
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const statement = compile(sql);
      const values = parameters as SqlValue[];
      if (statement.columns().length > 0) return { rows: statement.all(...values) as R[] };
      const { changes } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes) };
    },
    streamQuery() {
      throw new Error('Rows are not streamed; ask for a page.');
    },
  };
}
