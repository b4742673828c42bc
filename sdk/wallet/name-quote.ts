import type { NameAvailabilityJson, NameStatusView } from '@coinfront/api/names.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { parseHex } from '@coinfront/protocol/bytes.ts';
import type { NameSyntax } from '@coinfront/protocol/names/name-syntax.ts';
import type { Static } from 'typebox';
import type { Network } from './network.ts';
import type { NameCost } from './plan-names.ts';
import { WalletError } from './wallet-error.ts';

/** Answer of the registry's `/status`. */
export type NameStatus = Static<typeof NameStatusView>;

/**
 * What the registry's status says of the form of names.
 *
 * @example
 * const syntax = readNameSyntax(await getNameStatus(client));
 */
export function readNameSyntax({ rules }: NameStatus): NameSyntax {
  const isGood =
    Array.isArray(rules?.tlds) &&
    rules.tlds.every((tld) => typeof tld === 'string') &&
    Number.isInteger(rules.min_label_length);
  if (!isGood) throw new WalletError('answer_invalid', 'The registry did not say what its names look like.');
  return { tlds: rules.tlds, minLabelLength: rules.min_label_length };
}

/**
 * What registering or renewing a name costs in the next block. A service could ask for more than the rules do, or name
 * another script: both are outputs of the review, and `atMost` bounds the sum.
 *
 * @throws WalletError `name_unavailable` for a register of a name that cannot be had and a renewal that would change nothing, `answer_invalid`, `amount_invalid`
 * @example
 * const cost = quoteName('register', await getNameAvailability(client, { name }), status, network, { periods: 1, atMost });
 */
export function quoteName(
  kind: 'register' | 'renew',
  availability: NameAvailabilityJson,
  status: NameStatus,
  network: Network,
  { periods, atMost }: { periods: number; atMost?: bigint },
): NameCost {
  if (kind === 'register' && availability.available !== true) {
    throw new WalletError(
      'name_unavailable',
      `${availability.name} cannot be registered now: ${availability.status}.`,
    );
  }
  if (kind === 'renew') refuseUselessRenewal(availability, status, periods);
  const perPeriod = parseAmount(String(availability.cost?.per_period), network.decimals);
  const premium = parseAmount(String(availability.cost?.premium), network.decimals);
  const script = parseHex(String(status.fee?.script));
  if (!perPeriod.ok || !premium.ok || !script.ok || script.value.length === 0) {
    throw new WalletError('answer_invalid', 'The registry did not say what a name costs.');
  }
  const total = perPeriod.value * BigInt(periods) + (kind === 'register' ? premium.value : 0n);
  if (atMost !== undefined && total > atMost) {
    throw new WalletError(
      'amount_invalid',
      `The registry asks for ${total} base units, more than the ${atMost} that were allowed.`,
    );
  }
  return { total, feeScript: script.value };
}

/** A renewal of what was never registered, has lapsed or would be paid for too far ahead pays its price for nothing. */
function refuseUselessRenewal(
  { name, status, expiry, height }: NameAvailabilityJson,
  { rules }: NameStatus,
  periods: number,
): void {
  if ((status !== 'registered' && status !== 'grace') || expiry === null) {
    throw new WalletError('name_unavailable', `${name} cannot be renewed: ${status}.`);
  }
  const horizon = height + rules.max_periods * rules.period_blocks;
  if (expiry.height + periods * rules.period_blocks > horizon) {
    throw new WalletError(
      'name_unavailable',
      `${name} is paid for up to block ${expiry.height}: ${periods} more would be further ahead than the rules allow.`,
    );
  }
}
