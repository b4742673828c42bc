/** The first rules of rewards: epochs that began under them end under them. They do not change any more. */

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

/**
 * Splits an epoch's pool. A node weighs 1 / the larger of: eligible nodes of its network, eligible nodes of its payout
 * address. So no network and no address weighs more than one node, however many it brings.
 *
 * @param pool base units
 * @returns in the order of the keys
 */
export function shareByRules1(
  nodes: readonly EpochNode[],
  pool: bigint,
  { requireProof }: { requireProof: boolean },
): RewardShare[] {
  const judged = sortByKey(nodes).map((node) => {
    const ppm = uptimePpm(node);
    return { ...node, uptimePpm: ppm, eligibility: judge(node, ppm, requireProof) };
  });
  const eligible = judged.filter(({ eligibility }) => eligibility === 'eligible');
  const networks = countBy(eligible, ({ network }) => network);
  const addresses = countBy(eligible, ({ payoutAddress }) => payoutAddress);
  const weighed = judged.map((node) => {
    if (node.eligibility !== 'eligible')
      return { ...node, sharesNetworkWith: 0, sharesAsWith: 0, sharesAddressWith: 0, weight: 0n };
    const sharesNetworkWith = networks.get(node.network)!;
    const sharesAddressWith = addresses.get(node.payoutAddress)!;
    const weight = FULL_WEIGHT / BigInt(Math.max(sharesNetworkWith, sharesAddressWith));
    return { ...node, sharesNetworkWith, sharesAsWith: 0, sharesAddressWith, weight };
  });
  const amounts = splitByLargestRemainder(
    pool,
    weighed.map(({ weight }) => weight),
  );
  return weighed.map((node, i) => ({ ...node, amount: amounts[i]! }));
}

function judge(node: EpochNode, ppm: number | undefined, requireProof: boolean): Eligibility {
  if (ppm === undefined) return 'not_judged';
  if (ppm < MINIMUM_UPTIME_PPM) return 'uptime_below_minimum';
  return requireProof && !node.endpointProven ? 'endpoint_not_proven' : 'eligible';
}
