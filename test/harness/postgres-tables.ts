/// <reference path="./global-setup.ts" />
import { inject } from 'vitest';
import type { Database, Writer } from '../../service/src/db/database.ts';
import { openPostgres } from '../../service/src/db/postgres.ts';
import type { Table } from '../../service/src/db/table.ts';
import { ensureTables } from '../../service/src/db/tables.ts';
import { createDatabase, dropDatabase } from './postgres.ts';

/** A database of its own with some tables, and its writer. */
export type PostgresTables = {
  readonly url: string;
  readonly database: Database;
  readonly writer: Writer;
  /** Ends both and drops the database. */
  close(): Promise<void>;
};

/** Makes a database of PostgreSQL with these tables alone. The caller closes it. */
export async function openPostgresTables(tables: readonly Table[]): Promise<PostgresTables> {
  const url = await createDatabase(inject('postgresUrl'));
  const database = await openPostgres(url);
  const writer = await database.openWriter();
  await ensureTables(writer, 'postgres', tables, 'test');
  return {
    url,
    database,
    writer,
    async close() {
      await writer.close();
      await database.close();
      await dropDatabase(url);
    },
  };
}
