/** Says why a transaction is not the contribution of an intent, in the order in which a payer would look. */

import { formatAmount } from '@coinfront/protocol/amount.ts';
import { AppError } from '../../../errors.ts';
import { termsOf } from '../intents/intent-store.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { findRefusal } from './attribution-rules.ts';
import type { Refused } from './verify-contribution.ts';

/** The error that explains it. */
export function refuseContribution(
  context: TreasuryContext,
  { row, tx, attributions, firstSeen, vout }: Refused,
): AppError {
  const { treasury, profile } = context;
  const show = (value: bigint) => `${formatAmount(value, profile.decimals)} ${profile.ticker}`;
  if (attributions.every((each) => each.kind === 'unattributed' && each.reason === 'other_address')) {
    const which = vout === undefined ? 'No output' : `Output ${vout}`;
    return new AppError(
      'contribution_wrong_address',
      `${which} of the transaction pays ${treasury.address}, the treasury.`,
    );
  }
  if (attributions.some(({ kind }) => kind === 'coinbase' || kind === 'change')) {
    return new AppError(
      'contribution_is_change',
      'The transaction spends coins of the treasury, or mines to it: what it pays there is no contribution.',
    );
  }
  if (attributions.some((each) => each.kind === 'contribution')) {
    return new AppError(
      'outpoint_used',
      'The transaction is the contribution of another intent, which it names by its carrier or pays by its exact amount.',
    );
  }
  const isNamed = tx.tag.kind === 'one' && tx.tag.tag === row.tag;
  const hasAmount = attributions.some(({ value }) => String(value) === row.exact_amount);
  if (isNamed || hasAmount) {
    const refusal = findRefusal(firstSeen, termsOf(row));
    if (refusal === 'seen_before_intent') {
      return new AppError('contribution_too_early', 'The transaction was seen before the intent was made.');
    }
    if (refusal === 'intent_closed') {
      return new AppError('contribution_too_late', 'The transaction came after the intent was closed.');
    }
  }
  const paid = attributions.map(({ value }) => show(value)).join(', ');
  if (isNamed) {
    const detail = `The transaction gives ${paid}; a carrier is credited with ${show(profile.dustLimit)} at least.`;
    return new AppError('contribution_wrong_amount', detail);
  }
  if (tx.tag.kind !== 'none') {
    const what =
      tx.tag.kind === 'several'
        ? 'more than one tag, and so none'
        : tx.tag.kind === 'malformed'
          ? 'a carrier that is no tag'
          : `the tag ${tx.tag.tag}, which is not that of the intent`;
    return new AppError('contribution_wrong_tag', `The transaction has ${what}.`);
  }
  if (row.exact_amount === null) {
    const detail = 'The transaction has no carrier, and the intent is recognised by its carrier alone.';
    return new AppError('contribution_wrong_tag', detail);
  }
  return new AppError(
    'contribution_wrong_amount',
    `The transaction gives ${paid}; without the carrier the intent is recognised by exactly ${show(BigInt(row.exact_amount))}.`,
  );
}
