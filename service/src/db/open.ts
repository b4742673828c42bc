import type { Database, DatabaseLocation } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

/** Opens the database at `location`, making it when it is not there. Tables are the affair of {@link ensureTables}. */
export async function openDatabase(
  location: DatabaseLocation,
  options: SqliteOptions = {},
): Promise<Database> {
  return location.kind === 'sqlite' ? openSqlite(location.file, options) : await openPostgres(location.url);
}
