import { listWideColumns, type Statement } from './statement.ts';

/** On PostgreSQL: bytes of a wide column, and keys of one lookup, above which a read is large. */
export const mostOfSmall = { bytes: 32_768, keys: 1_000 } as const;

/**
 * On SQLite: bytes of pages of transactions, read at once, above which a read is large. Nobody waits for a server there, but everybody for this
 * thread, which takes 2 ms to read and check a megabyte.
 */
export const mostOfSmallFiles = 524_288;

/** A read that was begun with others has met something large, which they would have to wait for. */
export class LargeReadError extends Error {
  override readonly name = 'LargeReadError';

  constructor() {
    super('the read is too large to be made together with others');
  }
}

/** Whether a statement may give more than small reads are given. */
export function mayBeLarge(statement: Statement<unknown>): boolean {
  return !statement.isSeldom && listWideColumns(statement.text).length > 0;
}

/** What a small read is given of a wide column: null where it is large. The server knows its length without reading it. */
export function selectSmall(column: string, select: (column: string) => string): string {
  return `case when octet_length(${column}) <= ${mostOfSmall.bytes} then ${select(column)} end`;
}
