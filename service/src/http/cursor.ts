/**
 * Cursors of paged lists: opaque to clients, checked when they come back.
 *
 * A cursor is `base64url(numbers | check)`; the check covers the kind of list, what the list is of (an address, a
 * block) and the numbers, so that a cursor that was altered or taken to another list is refused. It is no
 * secret: a cursor only ever names a position in public data.
 */

import { crc32 } from 'node:zlib';
import { AppError } from '../errors.ts';

const checkLength = 4;
const maxCursorLength = 80;

/** Makes a cursor of whole numbers >= 0. */
export function encodeCursor(kind: string, subject: string, numbers: readonly number[]): string {
  const body = Buffer.from(numbers.join(','), 'latin1');
  return Buffer.concat([body, checkOf(kind, subject, body)]).toString('base64url');
}

/**
 * The numbers of a cursor made with the same kind and subject; undefined stays undefined.
 *
 * @throws AppError `invalid_cursor`
 */
export function decodeCursor(
  kind: string,
  subject: string,
  cursor: string | undefined,
  count: number,
): number[] | undefined {
  if (cursor === undefined) return undefined;
  const bytes = cursor.length <= maxCursorLength ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
  const body = bytes.subarray(0, Math.max(0, bytes.length - checkLength));
  const check = bytes.subarray(body.length);
  if (bytes.toString('base64url') !== cursor || !check.equals(checkOf(kind, subject, body))) throw refused();
  const numbers = body.toString('latin1').split(',').map(Number);
  if (numbers.length !== count || numbers.some((each) => !Number.isSafeInteger(each) || each < 0))
    throw refused();
  return numbers;
}

function checkOf(kind: string, subject: string, body: Buffer): Buffer {
  const check = Buffer.allocUnsafe(checkLength);
  check.writeUInt32BE(crc32(`${kind}\n${subject}\n${body.toString('latin1')}`));
  return check;
}

function refused(): AppError {
  return new AppError(
    'invalid_cursor',
    'The cursor was not made for this list; use the next_cursor of the page before, unchanged, or none.',
  );
}
