import { decodeCursor, encodeCursor } from '../../http/cursor.ts';

const HALF_AMOUNT = 2n ** 32n;

/** A place in a list from large to small amounts, and of equal ones from late to early scripts. */
export type AmountPlace = { amount: bigint; scriptId: number };

/** The cursor behind a balance. */
export function encodeAmountCursor(kind: string, subject: string, { amount, scriptId }: AmountPlace): string {
  return encodeCursor(kind, subject, [Number(amount / HALF_AMOUNT), Number(amount % HALF_AMOUNT), scriptId]);
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
  const numbers = decodeCursor(kind, subject, cursor, 3);
  if (numbers === undefined) return undefined;
  const [high, low, scriptId] = numbers as [number, number, number];
  const amount = (BigInt(high) % 2n ** 31n) * HALF_AMOUNT + (BigInt(low) % HALF_AMOUNT);
  return { amount, scriptId };
}
