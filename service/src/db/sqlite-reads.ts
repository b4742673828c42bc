import { isDamage } from './damage.ts';
import type { Reader } from './database.ts';
import { openConnection, READER_MMAP_BYTES, type SqliteConnection } from './sqlite.ts';

/**
 * Reads of an SQLite file, each of which sees all that was committed before it. The snapshot that requests of one turn share is
 * older than a commit of that turn, so whoever was told of the commit would not find it.
 */
export type SqliteReads = Pick<Reader, 'all'> & { close(): Promise<void> };

/** Opens them, with a connection of their own. */
export function openSqliteReads(file: string): SqliteReads {
  let connection: SqliteConnection | undefined;
  let isClosed = false;
  return {
    async all(statement, params) {
      if (isClosed) throw new Error('the database is closed');
      connection ??= openConnection(file, { mmapBytes: READER_MMAP_BYTES });
      try {
        return await connection.reader.all(statement, params);
      } catch (error) {
        // What is put right on the disk is seen by another one.
        if (isDamage(error)) drop();
        throw error;
      }
    },
    async close() {
      isClosed = true;
      drop();
    },
  };

  function drop(): void {
    connection?.database.close();
    connection = undefined;
  }
}
