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

/**
 * The dialect of the SQLite file that `open` gives.
 *
 * @param describeError says what an error of the file is to be thrown as
 */
export function createNodeSqliteDialect(
  open: () => DatabaseSync,
  describeError: (error: unknown) => unknown,
): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => createDriver(open, describeError),
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

function createDriver(open: () => DatabaseSync, describeError: (error: unknown) => unknown): Driver {
  const described = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw describeError(error);
    }
  };
  let database: DatabaseSync | undefined;
  let connection: DatabaseConnection | undefined;
  return {
    async init() {
      database = described(open);
      connection = createConnection(database, described);
    },
    async acquireConnection() {
      return connection!;
    },
    async beginTransaction() {
      // A transaction that reads first and writes later could find that another process wrote between.
      described(() => database!.exec('begin immediate'));
    },
    async commitTransaction() {
      described(() => database!.exec('commit'));
    },
    async rollbackTransaction() {
      // After a full disk or an I/O error SQLite has rolled back by itself.
      if (database!.isTransaction) database!.exec('rollback');
    },
    async releaseConnection() {},
    async destroy() {
      database?.close();
    },
  };
}

function createConnection(database: DatabaseSync, described: <T>(work: () => T) => T): DatabaseConnection {
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
      const values = parameters as SqlValue[];
      return described(() => {
        const statement = compile(sql);
        if (statement.columns().length > 0) return { rows: statement.all(...values) as R[] };
        const { changes } = statement.run(...values);
        return { rows: [], numAffectedRows: BigInt(changes) };
      });
    },
    streamQuery() {
      throw new Error('Rows are not streamed; ask for a page.');
    },
  };
}
