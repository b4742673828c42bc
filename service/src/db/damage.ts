/** A database that is damaged: part of a file is not what was written there. Trying again does not help, and everything else goes on. */

import type { Database, DatabaseLocation } from './database.ts';

/**
 * Something in the database cannot be read any more. The message is for the operator's log: it may name the file.
 */
export class DatabaseDamagedError extends Error {
  override readonly name = 'DatabaseDamagedError';
}

/** SQLite's primary codes `CORRUPT` and `NOTADB`. */
const SQLITE_DAMAGE: readonly number[] = [11, 26];
/** SQLite's codes `IOERR_READ`, `IOERR_SHORT_READ` and `IOERR_CORRUPTFS`: the disk does not give back what was written. */
const SQLITE_UNREADABLE: readonly number[] = [266, 522, 8458];
/** PostgreSQL's codes `data_corrupted` and `index_corrupted`. */
const POSTGRES_DAMAGE: readonly unknown[] = ['XX001', 'XX002'];

/** Tells whether an engine says by this error that what it keeps is damaged. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DatabaseDamagedError) return true;
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  if (typeof errcode !== 'number') return POSTGRES_DAMAGE.includes(code);
  return SQLITE_DAMAGE.includes(errcode & 0xff) || SQLITE_UNREADABLE.includes(errcode);
}

/** What is damaged, and what its operator does about it: for the log. */
export type DamageAdvice = { name: string; remedy: string };

/** The error as {@link DatabaseDamagedError} where it tells of damage; any other as it is. */
export function describeDamage(error: unknown, { name, remedy }: DamageAdvice): unknown {
  if (!isDamage(error) || error instanceof DatabaseDamagedError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new DatabaseDamagedError(`${name} is damaged (${reason}). ${remedy}`, { cause: error });
}

/** The index, wherever it is. */
export function adviseOnIndex(location: DatabaseLocation): DamageAdvice {
  const again = 'and start it again: it is built anew from the node.';
  return location.kind === 'sqlite'
    ? {
        name: location.file,
        remedy: `Stop the service, look after the disk, delete this file with its -wal, -shm and -runs, ${again}`,
      }
    : {
        name: 'The index',
        remedy: `Stop the service, look after PostgreSQL, drop the tables of the index, ${again}`,
      };
}

/** The precious data, which nothing can make anew. */
export function adviseOnPrecious(location: DatabaseLocation): DamageAdvice {
  return location.kind === 'sqlite'
    ? {
        name: location.file,
        remedy:
          'Merchants, payments and webhooks are in it, and nothing else can make them again: stop the service, keep a copy of ' +
          'this file with its -wal, look after the disk, and put back the last backup, or what `sqlite3 … .recover` saves ' +
          'of it. See docs/operations.md.',
      }
    : {
        name: 'The schema `front`',
        remedy:
          'Stop the service, look after PostgreSQL, and put back the last backup. See docs/operations.md.',
      };
}

/** A database whose reads tell when they have met damage. */
export type WatchedDatabase = {
  database: Database;
  /** Whether a read has met damage; it stays true, since what is damaged is not mended by itself. */
  isDamaged(): boolean;
};

/** Watches the reads of a database. */
export function watchDamage(database: Database, advice: DamageAdvice): WatchedDatabase {
  let damaged = false;
  async function watch<T>(reading: Promise<T>): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      damaged ||= isDamage(error);
      throw describeDamage(error, advice);
    }
  }
  const { latest } = database;
  return {
    database: {
      ...database,
      snapshot: (read, options) => watch(database.snapshot(read, options)),
      ...(latest && { latest: (statement) => watch(latest(statement)) }),
    },
    isDamaged: () => damaged,
  };
}
