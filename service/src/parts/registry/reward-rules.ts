/** Who would be paid what for an epoch. Integers only, and the same for whoever computes it. */

/** A node's slots in an epoch. */
export type EpochNode = {
  nodeKey: string;
  passed: number;
  failed: number;
  voided: number;
  network: string;
  payoutAddress: string;
  endpointProven: boolean;
};

export type Eligibility = 'eligible' | 'uptime_below_minimum' | 'not_judged' | 'endpoint_not_proven';

export type RewardShare = EpochNode & {
  /** Parts per million, rounded down; undefined when all slots are void. */
  uptimePpm: number | undefined;
  eligibility: Eligibility;
  /** Eligible nodes of its network, itself included, and of its payout address; 0 when it is not eligible. */
  sharesNetworkWith: number;
  sharesAddressWith: number;
  /** Parts per 10^12 of a node that shares with nobody; 0 when it is not eligible. */
  weight: bigint;
  /** Base units. */
  amount: bigint;
};

/** Uptime from which a node is eligible, parts per million. */
export const MINIMUM_UPTIME_PPM = 920_000;
/** Weight of a node that shares with nobody. */
export const FULL_WEIGHT = 1_000_000_000_000n;

const PPM = 1_000_000n;

/** Slots passed of those that passed or failed, in parts per million, rounded down; void ones count for nothing. */
export function uptimePpm({ passed, failed }: { passed: number; failed: number }): number | undefined {
  const judged = BigInt(passed) + BigInt(failed);
  return judged === 0n ? undefined : Number((BigInt(passed) * PPM) / judged);
}

/**
 * Splits an epoch's pool. A node weighs 1 / the larger of: eligible nodes of its network, eligible nodes of its payout
 * address. So no network and no address weighs more than one node, however many it brings.
 *
 * @param pool base units
 * @returns in the order of the keys
 */
export function shareRewards(
  nodes: readonly EpochNode[],
  pool: bigint,
  { requireProof }: { requireProof: boolean },
): RewardShare[] {
  const sorted = [...nodes].sort((a, b) => (a.nodeKey < b.nodeKey ? -1 : a.nodeKey > b.nodeKey ? 1 : 0));
  const judged = sorted.map((node) => {
    const ppm = uptimePpm(node);
    return { ...node, uptimePpm: ppm, eligibility: judge(node, ppm, requireProof) };
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

function judge(node: EpochNode, ppm: number | undefined, requireProof: boolean): Eligibility {
  if (ppm === undefined) return 'not_judged';
  if (ppm < MINIMUM_UPTIME_PPM) return 'uptime_below_minimum';
  return requireProof && !node.endpointProven ? 'endpoint_not_proven' : 'eligible';
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/**
 * Splits a total by weights so that the parts sum to it exactly: each gets its part rounded down, and what is left goes,
 * one by one, to the largest remainders; of equal ones to the first. Nothing is given where all weights are 0.
 */
export function splitByLargestRemainder(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (sum === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (total * weight) / sum);
  const left = total - parts.reduce((all, part) => all + part, 0n);
  const order = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of order.slice(0, Number(left))) parts[index] = parts[index]! + 1n;
  return parts;
}
