import type { Database, DatabaseLocation } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the database at `location`, making it when it is not there. Tables are the affair of {@link ensureTables}. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  return location.kind === 'sqlite' ? openSqlite(location.file) : await openPostgres(location.url);
}
