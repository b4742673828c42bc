/** Who would be paid what for an epoch. */

import {
  countBy,
  type Eligibility,
  type EpochNode,
  FULL_WEIGHT,
  MINIMUM_UPTIME_PPM,
  type RewardShare,
  sortByKey,
  splitByLargestRemainder,
  uptimePpm,
} from './reward-parts.ts';
import { shareByRules1 } from './reward-rules-1.ts';

/** The rules by which an epoch's rewards are shared. */
export type EpochRules = { rules: number };

/** The rules of epochs that begin now. docs/nodes.md has them. */
export const REWARD_RULES = 2;

/**
 * Splits an epoch's pool by the rules that it began under.
 *
 * @param pool base units
 * @param requireProof whether rules 1 ask for a proof of the endpoint; rules 2 always do
 * @returns in the order of the keys
 */
export function shareRewards(
  nodes: readonly EpochNode[],
  pool: bigint,
  { rules, requireProof }: EpochRules & { requireProof: boolean },
): RewardShare[] {
  return rules === 1 ? shareByRules1(nodes, pool, { requireProof }) : shareByRules2(nodes, pool);
}

/**
 * A node weighs 1 / the larger of: eligible nodes of its network, eligible nodes of its payout address. So no network and no address
 * weighs more than one node, however many it brings. Who did not show that the endpoint is its own weighs nothing.
 */
function shareByRules2(nodes: readonly EpochNode[], pool: bigint): RewardShare[] {
  const judged = sortByKey(nodes).map((node) => {
    const ppm = uptimePpm(node);
    return { ...node, uptimePpm: ppm, eligibility: judge(node, ppm) };
  });
  const eligible = judged.filter(({ eligibility }) => eligibility === 'eligible');
  const networks = countBy(eligible, ({ network }) => network);
  const addresses = countBy(eligible, ({ payoutAddress }) => payoutAddress);
  const weighed = judged.map((node) => {
    if (node.eligibility !== 'eligible')
      return { ...node, sharesNetworkWith: 0, sharesAddressWith: 0, weight: 0n };
    const sharesNetworkWith = networks.get(node.network)!;
    const sharesAddressWith = addresses.get(node.payoutAddress)!;
    const weight = FULL_WEIGHT / BigInt(Math.max(sharesNetworkWith, sharesAddressWith));
    return { ...node, sharesNetworkWith, sharesAddressWith, weight };
  });
  const amounts = splitByLargestRemainder(
    pool,
    weighed.map(({ weight }) => weight),
  );
  return weighed.map((node, i) => ({ ...node, amount: amounts[i]! }));
}

function judge(node: EpochNode, ppm: number | undefined): Eligibility {
  if (ppm === undefined) return 'not_judged';
  if (node.proven === 0) return 'endpoint_not_proven';
  return ppm < MINIMUM_UPTIME_PPM ? 'uptime_below_minimum' : 'eligible';
}
