/** What all rules of rewards are made of. Integers only, and the same for whoever computes it. */

/** A node's slots in an epoch. */
export type EpochNode = {
  nodeKey: string;
  passed: number;
  failed: number;
  voided: number;
  network: string;
  /** Its autonomous system; null where it is not known. */
  asn: number | null;
  payoutAddress: string;
  /** Whether it showed its token in the last slot that it passed. */
  endpointProven: boolean;
  /** Slots passed in which it showed its token. */
  proven: number;
  /** What other keys did at its endpoints in the epoch, each until it was last judged there. */
  othersPassed: number;
  othersFailed: number;
};

export type Eligibility =
  | 'eligible'
  | 'uptime_below_minimum'
  | 'too_few_slots'
  | 'not_judged'
  | 'endpoint_not_proven';

export type RewardShare = EpochNode & {
  /** Parts per million, rounded down; undefined when all slots are void. */
  uptimePpm: number | undefined;
  eligibility: Eligibility;
  /** Eligible nodes of its network, of its autonomous system under rules 4, and of its payout address, itself included; 0 when it is not eligible. */
  sharesNetworkWith: number;
  sharesAsWith: number;
  sharesAddressWith: number;
  /** Parts per 10^12 of the most that a node can weigh; 0 when it is not eligible. */
  weight: bigint;
  /** Base units. */
  amount: bigint;
};

/** Uptime from which a node is eligible, parts per million. */
export const MINIMUM_UPTIME_PPM = 920_000;
/** Part of the epoch's slots in which a node has to be judged, parts per million. Since rules 2. */
export const MINIMUM_JUDGED_PPM = 250_000;
/** Weight of a node that shares with nobody and, since rules 2, passed in every slot. */
export const FULL_WEIGHT = 1_000_000_000_000n;

const PPM = 1_000_000n;

/** Slots passed of those that passed or failed, in parts per million, rounded down; void ones count for nothing. */
export function uptimePpm({ passed, failed }: { passed: number; failed: number }): number | undefined {
  const judged = BigInt(passed) + BigInt(failed);
  return judged === 0n ? undefined : Number((BigInt(passed) * PPM) / judged);
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

/** In the order of their keys, whatever order they came in. */
export function sortByKey(nodes: readonly EpochNode[]): EpochNode[] {
  return [...nodes].sort((a, b) => (a.nodeKey < b.nodeKey ? -1 : a.nodeKey > b.nodeKey ? 1 : 0));
}

/** How many there are of each. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
