/** Errors that several operations on refunds throw. */

import { AppError } from '../../../errors.ts';

/** Nothing is left over, or all of it is in refunds. */
export function nothingToRefund(why: string): AppError {
  return new AppError('nothing_to_refund', `There is nothing to send back: ${why}.`);
}

/** The payment has no such refund. */
export function refundNotFound(id: string): AppError {
  return new AppError('refund_not_found', `The payment has no refund ${id}.`);
}

/**
 * A text that people wrote, as it can be stored.
 *
 * @throws AppError `invalid_body`
 */
export function checkNote(note: string): string {
  if (note.isWellFormed() && !note.includes('\0')) return note;
  throw new AppError('invalid_body', '"note" is not valid Unicode text, or holds a NUL character.');
}
