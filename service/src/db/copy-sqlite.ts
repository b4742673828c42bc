/** Copies of an SQLite file that others write to, and what has to be known before one takes its place. */

import { backup, DatabaseSync } from 'node:sqlite';
import { isDamage } from './damage.ts';
import type { ReadRows } from './look-at.ts';

/** All pages in one step: what is copied is one snapshot, and writers neither wait for it nor have it begin anew. */
const ALL_PAGES = 2 ** 31 - 1;
const BUSY = 5;

/**
 * Copies a database as it is at one moment, while others read and write it, into a file of its own without a log beside it; then
 * reads the copy through.
 *
 * @param look reads what has to be known of the copy
 * @throws Error when the copy is not sound
 */
export async function copySqlite<T>(
  from: string,
  to: string,
  look: (rows: ReadRows) => Promise<T>,
): Promise<T> {
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    copy.exec('pragma journal_mode = delete');
    const fault = findFault(copy);
    if (fault !== undefined) throw new Error(`${from} is damaged: ${fault}. The copy of it is no backup.`);
    return await look(async (text) => copy.prepare(text).all());
  } finally {
    copy.close();
  }
}

/** What SQLite finds wrong in a file; undefined when it is sound. */
export function checkSqliteFile(file: string): string | undefined {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return findFault(database);
  } catch (error) {
    return (error as Error).message;
  } finally {
    database.close();
  }
}

function findFault(database: DatabaseSync): string | undefined {
  const [first] = database.prepare('pragma integrity_check(1)').all() as { integrity_check: string }[];
  return first?.integrity_check === 'ok' ? undefined : (first?.integrity_check ?? 'it has no answer');
}

/**
 * Whether another connection, of this process or another, has a database open. Where none has, its log is written back, so the file
 * alone is the database. A damaged one counts as free: nothing can work on it.
 */
export function isSqliteInUse(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Leaving the log takes the whole file, which everybody who has it open holds a part of.
    database.exec('pragma journal_mode = delete');
    return false;
  } catch (error) {
    if (isDamage(error)) return false;
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY) return true;
    throw error;
  } finally {
    database.close();
  }
}
