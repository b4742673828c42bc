/** Errors that several operations on payments throw. */

import { AppError } from '../../../errors.ts';

/** Nobody has this payment, or another merchant has it. */
export function paymentNotFound(id: string): AppError {
  return new AppError('payment_not_found', `There is no payment ${id}.`);
}

/** New money to the address would belong to two payments. */
export function recipientBusy(): AppError {
  const detail =
    'Another payment of yours that is not finished has this address, and nobody could tell whose money comes. Wait for it, ' +
    'cancel it, or use another address.';
  return new AppError('recipient_busy', detail);
}
