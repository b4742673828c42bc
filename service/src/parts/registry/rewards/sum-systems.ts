import type { RewardShare } from './reward-parts.ts';

/** What the nodes of an autonomous system have together. */
export type SystemSum = { asn: number; nodes: number; eligible: number; weight: bigint; amount: bigint };

/** Sums shares by autonomous system: those that weigh most first, then those with most nodes, then the smallest numbers. */
export function sumSystems(shares: readonly RewardShare[]): SystemSum[] {
  const sums = new Map<number, SystemSum>();
  for (const { asn, eligibility, weight, amount } of shares) {
    if (asn === null) continue;
    const sum = sums.get(asn) ?? { asn, nodes: 0, eligible: 0, weight: 0n, amount: 0n };
    sums.set(asn, {
      asn,
      nodes: sum.nodes + 1,
      eligible: sum.eligible + (eligibility === 'eligible' ? 1 : 0),
      weight: sum.weight + weight,
      amount: sum.amount + amount,
    });
  }
  return [...sums.values()].sort((a, b) => compare(b.weight, a.weight) || b.nodes - a.nodes || a.asn - b.asn);
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
