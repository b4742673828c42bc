import { parseAmount } from '@coinfront/protocol/amount.ts';
import { parseHex } from '@coinfront/protocol/bytes.ts';
import { contributionScript, TAG_BYTES } from '@coinfront/protocol/treasury/contribution-tag.ts';
import { isExactAmountOf } from '@coinfront/protocol/treasury/exact-amount.ts';
import { MARKERS } from './markers.ts';
import type { Network } from './network.ts';
import { readAddress, type TransactionPlan } from './transaction-plan.ts';
import { WalletError } from './wallet-error.ts';

/** What a treasury answers to a request to contribute, as far as a payment needs it. */
export type ContributionIntent = {
  address: string;
  requested_amount: string;
  exact_amount: string | null;
  tag: string | null;
};

/**
 * Plans a contribution to the treasury. By its tag wherever there is one: a data carrier names the intent, and any amount
 * is credited; else by the exact amount, which must then be paid as it is. The amount is the one that the contributor
 * said, not what the service answers; the address is in the review.
 *
 * @param parameters.amount - what the contributor said, base units
 * @throws WalletError `claim_mismatch` when the answer is not to this request
 * @example
 * const plan = planContribution({ intent, amount, network: watch.network });
 */
export function planContribution({
  intent,
  amount,
  network,
}: {
  intent: ContributionIntent;
  amount: bigint;
  network: Network;
}): TransactionPlan {
  const script = readAddress(String(intent.address), network);
  const requested = parseAmount(String(intent.requested_amount), network.decimals);
  if (!requested.ok || requested.value !== amount) {
    throw new WalletError('claim_mismatch', 'The treasury answered to another amount than was asked for.');
  }
  if (intent.tag !== null) {
    const tag = parseHex(String(intent.tag));
    if (!tag.ok || tag.value.length !== TAG_BYTES) {
      throw new WalletError('claim_mismatch', 'The treasury gave a tag that is none.');
    }
    const carrier = { script: contributionScript(tag.value, MARKERS.treasury), value: 0n };
    return { outputs: [{ script, value: amount }, carrier] };
  }
  const exact = parseAmount(String(intent.exact_amount), network.decimals);
  if (!exact.ok || !isExactAmountOf(exact.value, amount, network.decimals)) {
    throw new WalletError(
      'claim_mismatch',
      'The exact amount of the treasury is not what was asked for and a little more.',
    );
  }
  return { outputs: [{ script, value: exact.value }] };
}
