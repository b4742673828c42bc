/** Who would be paid what for an epoch. */

import {
  type Eligibility,
  type EpochNode,
  FULL_WEIGHT,
  MINIMUM_JUDGED_PPM,
  MINIMUM_UPTIME_PPM,
  type RewardShare,
  sortByKey,
  splitByLargestRemainder,
  uptimePpm,
} from './reward-parts.ts';
import { shareByRules1 } from './reward-rules-1.ts';

/** The rules by which an epoch's rewards are shared, and its slots in which anybody passed or failed; rules 1 do not count these. */
export type EpochRules = {
  rules: number;
  slots: number;
  /** SHA-256 of the table of autonomous systems, since rules 4; null without one. */
  asTable: string | null;
  /** Keys of the vantage points that it began with, ascending. */
  vantages: readonly string[];
};

/** The rules of epochs that begin now. docs/nodes.md has them. */
export const REWARD_RULES = 4;

/**
 * Splits an epoch's pool by the rules that it began under.
 *
 * @param pool base units
 * @param requireProof whether rules 1 ask for a proof of the endpoint; later ones always do
 * @returns in the order of the keys
 */
export function shareRewards(
  nodes: readonly EpochNode[],
  pool: bigint,
  { rules, slots, requireProof }: Pick<EpochRules, 'rules' | 'slots'> & { requireProof: boolean },
): RewardShare[] {
  if (rules === 1) return shareByRules1(nodes, pool, { requireProof });
  const known = rules >= 4 ? nodes : nodes.map((node) => ({ ...node, asn: null }));
  return shareBySlots(known, pool, slots, rules >= 3 ? boundFailures : (given) => given);
}

type Judged = { passed: number; failed: number };

/** Rules 3: nobody fails in more slots than the epoch has besides those that were passed. */
function boundFailures({ passed, failed }: Judged, slots: number): Judged {
  return { passed, failed: Math.min(failed, Math.max(0, slots - passed)) };
}

/**
 * Rules 2 and later. A node weighs its proven slots / the slots of the epoch. Where the nodes of a network, of an autonomous system (rules 4), or of a payout
 * address would weigh more than one node that passed in every slot, each of them weighs so much less that together they weigh that.
 */
function shareBySlots(
  nodes: readonly EpochNode[],
  pool: bigint,
  slots: number,
  bound: (given: Judged, slots: number) => Judged,
): RewardShare[] {
  const judged = sortByKey(nodes).map((node) => {
    const own = bound(node, slots);
    const others = bound({ passed: node.othersPassed, failed: node.othersFailed }, slots);
    const ppm = uptimePpm({ passed: own.passed + others.passed, failed: own.failed + others.failed });
    const eligibility = judge(node, ppm, slots);
    const served = eligibility === 'eligible' ? weighSlots(node.proven, slots) : 0n;
    return { ...node, uptimePpm: ppm, eligibility, served };
  });
  const eligible = judged.filter(({ eligibility }) => eligibility === 'eligible');
  const networks = gather(eligible, ({ network }) => network);
  const systems = gather(
    eligible.filter(({ asn }) => asn !== null),
    ({ asn }) => String(asn),
  );
  const addresses = gather(eligible, ({ payoutAddress }) => payoutAddress);
  const weighed = judged.map(({ served, ...node }) => {
    if (node.eligibility !== 'eligible')
      return { ...node, sharesNetworkWith: 0, sharesAsWith: 0, sharesAddressWith: 0, weight: 0n };
    const network = networks.get(node.network)!;
    const system = node.asn === null ? NOBODY : systems.get(String(node.asn))!;
    const address = addresses.get(node.payoutAddress)!;
    const together = [network, system, address].reduce(
      (most, { served: sum }) => (sum > most ? sum : most),
      FULL_WEIGHT,
    );
    return {
      ...node,
      sharesNetworkWith: network.nodes,
      sharesAsWith: system.nodes,
      sharesAddressWith: address.nodes,
      weight: (served * FULL_WEIGHT) / together,
    };
  });
  const amounts = splitByLargestRemainder(
    pool,
    weighed.map(({ weight }) => weight),
  );
  return weighed.map((node, i) => ({ ...node, amount: amounts[i]! }));
}

function weighSlots(proven: number, slots: number): bigint {
  return (FULL_WEIGHT * BigInt(Math.min(proven, slots))) / BigInt(slots);
}

type Group = { nodes: number; served: bigint };

const NOBODY: Group = { nodes: 0, served: 0n };

function gather<T extends { served: bigint }>(
  items: readonly T[],
  keyOf: (item: T) => string,
): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const { nodes, served } = groups.get(keyOf(item)) ?? { nodes: 0, served: 0n };
    groups.set(keyOf(item), { nodes: nodes + 1, served: served + item.served });
  }
  return groups;
}

function judge(node: EpochNode, ppm: number | undefined, slots: number): Eligibility {
  const judged = node.passed + node.failed;
  if (ppm === undefined || judged === 0) return 'not_judged';
  if (node.proven === 0) return 'endpoint_not_proven';
  if (judged * 1_000_000 < slots * MINIMUM_JUDGED_PPM) return 'too_few_slots';
  return ppm < MINIMUM_UPTIME_PPM ? 'uptime_below_minimum' : 'eligible';
}
