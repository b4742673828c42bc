/**
 * Cursors of paged lists: opaque to clients, checked when they come back.
 *
 * A cursor is `base64url(place | check)`; the check covers the kind of list, what the list is of (an address, a
 * block) and the place, so that a cursor that was altered or taken to another list is refused. It is no
 * secret: a cursor only ever names a position in public data.
 */

import { crc32 } from 'node:zlib';
import { AppError } from '../errors.ts';

const checkLength = 4;
const maxCursorLength = 80;
const maxKeyCursorLength = 160;

/** Makes a cursor of whole numbers >= 0. */
export function encodeCursor(kind: string, subject: string, numbers: readonly number[]): string {
  return seal(kind, subject, numbers.join(','));
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
  const numbers = unseal(kind, subject, cursor).split(',').map(Number);
  if (numbers.length !== count || numbers.some((each) => !Number.isSafeInteger(each) || each < 0))
    throw refused();
  return numbers;
}

/** A row's place in a list that is ordered by time and then by identifier. */
export type TimedPlace = { atMs: number; id: string };

/** Makes a cursor of a place. */
export function encodeTimedCursor(kind: string, subject: string, { atMs, id }: TimedPlace): string {
  return seal(kind, subject, `${atMs},${id}`);
}

/**
 * The place of a cursor made by {@link encodeTimedCursor} with the same kind and subject; undefined stays undefined.
 *
 * @throws AppError `invalid_cursor`
 */
export function decodeTimedCursor(
  kind: string,
  subject: string,
  cursor: string | undefined,
): TimedPlace | undefined {
  if (cursor === undefined) return undefined;
  const match = /^([0-9]{1,16}),([A-Za-z0-9_-]{1,40})$/.exec(unseal(kind, subject, cursor));
  if (match === null) throw refused();
  return { atMs: Number(match[1]), id: match[2]! };
}

/** Makes a cursor of a key of a list that is ordered by text: at most 50 printable characters of ASCII. */
export function encodeTextCursor(kind: string, subject: string, key: string): string {
  return seal(kind, subject, key);
}

/**
 * The key of a cursor made by {@link encodeTextCursor} with the same kind and subject; undefined stays undefined.
 *
 * @throws AppError `invalid_cursor`
 */
export function decodeTextCursor(
  kind: string,
  subject: string,
  cursor: string | undefined,
): string | undefined {
  if (cursor === undefined) return undefined;
  const key = unseal(kind, subject, cursor);
  if (!/^[\x21-\x7e]{1,50}$/.test(key)) throw refused();
  return key;
}

/** Makes a cursor of whole numbers >= 0 and the bytes of a key, at most 64. */
export function encodeKeyCursor(
  kind: string,
  subject: string,
  numbers: readonly number[],
  key: Uint8Array,
): string {
  return seal(kind, subject, [...numbers, Buffer.from(key).toString('latin1')].join(','));
}

/**
 * What a cursor made by {@link encodeKeyCursor} with the same kind and subject and so many numbers says.
 *
 * @throws AppError `invalid_cursor`
 */
export function decodeKeyCursor(
  kind: string,
  subject: string,
  cursor: string,
  count: number,
): { numbers: number[]; key: Uint8Array } {
  const parts = unseal(kind, subject, cursor, maxKeyCursorLength).split(',');
  const numbers = parts.slice(0, count).map(Number);
  if (parts.length <= count || numbers.some((each) => !Number.isSafeInteger(each) || each < 0))
    throw refused();
  // A key may have commas of its own.
  return { numbers, key: new Uint8Array(Buffer.from(parts.slice(count).join(','), 'latin1')) };
}

function seal(kind: string, subject: string, text: string): string {
  const body = Buffer.from(text, 'latin1');
  return Buffer.concat([body, checkOf(kind, subject, body)]).toString('base64url');
}

function unseal(kind: string, subject: string, cursor: string, maxLength = maxCursorLength): string {
  const bytes = cursor.length <= maxLength ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
  const body = bytes.subarray(0, Math.max(0, bytes.length - checkLength));
  const check = bytes.subarray(body.length);
  if (bytes.toString('base64url') !== cursor || !check.equals(checkOf(kind, subject, body))) throw refused();
  return body.toString('latin1');
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
