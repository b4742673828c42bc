import { OPERATION_FAULTS, RECIPIENT_FAULTS } from '../operation.ts';
import { NAME_FAULTS } from './name-syntax.ts';

/** Every reason why a transaction with a name payload changes nothing. Codes are closed; sentences are for people. */
export const NAME_REASONS = {
  ...OPERATION_FAULTS,
  ...NAME_FAULTS,
  ...RECIPIENT_FAULTS,
  periods_zero: 'At least one period must be paid for.',
  periods_too_many: 'The name would be paid for further ahead than the coin allows.',
  commit_missing: 'Nobody committed to this name with this salt for this sender.',
  commit_immature: 'The commitment is too young to be revealed.',
  commit_expired: 'The commitment is too old to be revealed.',
  name_taken: 'The name is registered and has not expired.',
  name_in_grace: 'The name has expired, but it can still be renewed.',
  name_not_registered: 'The name was never registered.',
  name_lapsed: 'The name has expired and its grace is over: it can only be registered again.',
  name_expired: 'The name has expired: until it is renewed nobody can transfer it.',
  not_owner: 'The sender does not own the name.',
  fee_too_low: "The transaction pays less to the coin's fee script than the operation costs.",
} as const;

/** The codes of {@link NAME_REASONS}. */
export type NameReason = keyof typeof NAME_REASONS;
