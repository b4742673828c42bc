/**
 * Cursors into lists that are in the order of hashes. A cursor is made of whole numbers: the first 12 bytes of a hash tell
 * it from every other in practice, and whoever makes two that agree in them can miss a row of their own list only.
 */

import { decodeCursor, encodeCursor } from '../../http/cursor.ts';

const HASH_BYTES = 32;
const HALF_BYTES = 6;

function readHalf(bytes: Uint8Array, at: number): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUIntBE(at, HALF_BYTES);
}

function joinHalves(first: number, second: number, filler: number): Uint8Array {
  const bytes = Buffer.alloc(HASH_BYTES, filler);
  bytes.writeUIntBE(Math.min(first, 2 ** 48 - 1), 0, HALF_BYTES);
  bytes.writeUIntBE(Math.min(second, 2 ** 48 - 1), HALF_BYTES, HALF_BYTES);
  return Uint8Array.from(bytes);
}

/** The cursor behind a hash in a list in ascending order. */
export function encodeHashCursor(kind: string, subject: string, hash: Uint8Array): string {
  return encodeCursor(kind, subject, [readHalf(hash, 0), readHalf(hash, HALF_BYTES)]);
}

/**
 * What the rows behind a cursor of {@link encodeHashCursor} are above; all are above 32 zero bytes.
 *
 * @throws AppError `invalid_cursor`
 */
export function decodeHashCursor(kind: string, subject: string, cursor: string | undefined): Uint8Array {
  const numbers = decodeCursor(kind, subject, cursor, 2);
  return numbers === undefined ? new Uint8Array(HASH_BYTES) : joinHalves(numbers[0]!, numbers[1]!, 0xff);
}

const HALF_AMOUNT = 2n ** 32n;

/** A place in a list from large to small amounts, and of equal ones from large to small hashes. */
export type AmountPlace = { amount: bigint; scriptHash: Uint8Array };

/** The cursor behind a balance. */
export function encodeAmountCursor(
  kind: string,
  subject: string,
  { amount, scriptHash }: AmountPlace,
): string {
  const amounts = [Number(amount / HALF_AMOUNT), Number(amount % HALF_AMOUNT)];
  return encodeCursor(kind, subject, [...amounts, readHalf(scriptHash, 0), readHalf(scriptHash, HALF_BYTES)]);
}

/**
 * What the rows behind a cursor of {@link encodeAmountCursor} are below.
 *
 * @throws AppError `invalid_cursor`
 */
export function decodeAmountCursor(
  kind: string,
  subject: string,
  cursor: string | undefined,
): AmountPlace | undefined {
  const numbers = decodeCursor(kind, subject, cursor, 4);
  if (numbers === undefined) return undefined;
  const [high, low, first, second] = numbers as [number, number, number, number];
  const amount = (BigInt(high) % 2n ** 31n) * HALF_AMOUNT + (BigInt(low) % HALF_AMOUNT);
  return { amount, scriptHash: joinHalves(first, second, 0) };
}
