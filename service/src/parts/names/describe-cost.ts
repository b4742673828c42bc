import type { NameAvailabilityJson } from '@coinfront/api/names.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { describeAvailability } from '@coinfront/protocol/names/name-availability.ts';
import { premiumAt, pricePerPeriod } from '@coinfront/protocol/names/name-price.ts';
import type { NameRecord } from '@coinfront/protocol/names/name-rules.ts';
import type { ParsedName } from '@coinfront/protocol/names/name-syntax.ts';
import type { CoinProfile, NameRules } from '@coinfront/protocol/profile.ts';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import type { NameRouteContext } from './name-context.ts';
import { describeMoment } from './serialise-name.ts';

/** What registering a name costs in the block of a height, in base units. */
export type NameCost = { perPeriod: bigint; premium: bigint };

/** Price and premium at a height from which on the name can be registered; a premium comes after a grace only. */
export function costAt(
  { label }: ParsedName,
  record: NameRecord | undefined,
  height: number,
  rules: NameRules,
): NameCost {
  const isLapsed = record !== undefined && height >= record.expiry + rules.graceBlocks;
  return {
    perPeriod: pricePerPeriod(label.length, Math.max(height, rules.activationHeight), rules),
    premium: isLapsed ? premiumAt(record.expiry, height, rules) : 0n,
  };
}

/** The first height at which a commitment of a height can be revealed for a name, and the last. */
export function revealWindow(
  record: NameRecord | undefined,
  commitHeight: number,
  rules: NameRules,
): { from: number; to: number } {
  const free = record === undefined ? 0 : record.expiry + rules.graceBlocks;
  return {
    from: Math.max(commitHeight + rules.commitMaturityBlocks, free),
    to: commitHeight + rules.commitLifetimeBlocks,
  };
}

/** Whether a name can be registered in the next block, from when, and for how much. */
export async function describeNameAvailability(
  view: ChainView,
  tip: BlockRecord,
  name: ParsedName,
  record: NameRecord | undefined,
  { rules, profile }: Pick<NameRouteContext, 'rules' | 'profile'>,
): Promise<NameAvailabilityJson> {
  const height = tip.height + 1;
  const availability = describeAvailability(name, record, height, rules);
  const moment = (at: number) => describeMoment(view, tip, at, profile);
  const commitHeight = Math.max(height, rules.activationHeight);
  const window = revealWindow(record, commitHeight, rules);
  const premiumStarts = record && record.expiry + rules.graceBlocks;
  const premiumEnds = premiumStarts === undefined ? 0 : premiumStarts + rules.premiumBlocks;
  return {
    name: name.name,
    as_of: describeAsOf(tip),
    height,
    available: availability.status === 'free' || availability.status === 'premium',
    status: availability.status,
    available_from: 'availableFrom' in availability ? await moment(availability.availableFrom) : null,
    expiry: record ? await moment(record.expiry) : null,
    cost: serialiseCost(costAt(name, record, height, rules), profile),
    premium_decay:
      premiumStarts !== undefined && height < premiumEnds
        ? {
            starts: await moment(premiumStarts),
            start_amount: formatAmount(rules.premiumStart, profile.decimals),
            ends: await moment(premiumEnds),
          }
        : null,
    if_committed_now:
      window.from > window.to
        ? null
        : {
            register_from: await moment(window.from),
            ...serialiseCost(costAt(name, record, window.from, rules), profile),
          },
  };
}

function serialiseCost({ perPeriod, premium }: NameCost, { decimals }: CoinProfile) {
  return {
    per_period: formatAmount(perPeriod, decimals),
    premium: formatAmount(premium, decimals),
    total: formatAmount(perPeriod + premium, decimals),
  };
}
