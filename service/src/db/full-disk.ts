/** A file that cannot be written, as on a full disk: nothing is lost or damaged, and what failed can be done again. */

import { DatabaseUnavailableError } from './database.ts';

/** SQLite's primary code `FULL`. */
const SQLITE_FULL = 13;
/** SQLite's codes `IOERR_WRITE`, `IOERR_FSYNC`, `IOERR_TRUNCATE`, `IOERR_SHMSIZE` and `IOERR_SHMMAP`. */
const SQLITE_UNWRITABLE: readonly number[] = [778, 1034, 1546, 4874, 5386];

/** The error as a `DatabaseUnavailableError` that names the file where it tells that nothing can be written; any other as it is. */
export function describeFullDisk(error: unknown, file: string): unknown {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  if (typeof errcode !== 'number') return error;
  if ((errcode & 0xff) !== SQLITE_FULL && !SQLITE_UNWRITABLE.includes(errcode)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const remedy = 'Make room on its disk, or look after it; nothing has to be started again.';
  return new DatabaseUnavailableError(`${file} cannot be written (${reason}). ${remedy}`, { cause: error });
}
