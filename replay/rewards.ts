/** Shares the rewards of an epoch: `docs/protocols/registry.md`, "Rewards". */

/** What an epoch says of a node. Slots; `asn` is null where it is not known. */
export type RewardNode = {
  readonly key: string;
  readonly passed: number;
  readonly failed: number;
  readonly proven: number;
  readonly othersPassed: number;
  readonly othersFailed: number;
  readonly network: string;
  readonly asn: number | null;
  readonly address: string;
};

export type RewardShare = {
  readonly key: string;
  readonly eligibility: string;
  readonly weight: bigint;
  readonly amount: bigint;
};

const WHOLE = 10n ** 12n;
const MILLION = 1_000_000;

/** @param rules - 2, 3 or 4; @param pool - base units */
export function shareRewards(
  nodes: readonly RewardNode[],
  { rules, slots, pool }: { rules: number; slots: number; pool: bigint },
): RewardShare[] {
  const sorted = [...nodes].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  const judged = sorted.map((node) => {
    const eligibility = judge(node, rules, slots);
    const served =
      eligibility === 'eligible' ? (WHOLE * BigInt(Math.min(node.proven, slots))) / BigInt(slots) : 0n;
    return { node, eligibility, served };
  });
  const groupsOf = ({ network, asn, address }: RewardNode): string[] => [
    `network ${network}`,
    `address ${address}`,
    ...(rules >= 4 && asn !== null ? [`system ${asn}`] : []),
  ];
  const together = new Map<string, bigint>();
  for (const { node, served } of judged)
    for (const group of groupsOf(node)) together.set(group, (together.get(group) ?? 0n) + served);
  const weights = judged.map(({ node, served }) => {
    let most = WHOLE;
    for (const group of groupsOf(node)) {
      const sum = together.get(group)!;
      if (sum > most) most = sum;
    }
    return (served * WHOLE) / most;
  });
  const amounts = split(pool, weights);
  return judged.map(({ node, eligibility }, i) => ({
    ...{ key: node.key, eligibility, weight: weights[i]!, amount: amounts[i]! },
  }));
}

function judge(node: RewardNode, rules: number, slots: number): string {
  const { passed, failed, proven, othersPassed, othersFailed } = node;
  if (passed + failed === 0) return 'not_judged';
  if (proven === 0) return 'endpoint_not_proven';
  if ((passed + failed) * 4 < slots) return 'too_few_slots';
  const bound = (good: number, bad: number) => (rules >= 3 ? Math.min(bad, Math.max(0, slots - good)) : bad);
  const good = passed + othersPassed;
  const all = good + bound(passed, failed) + bound(othersPassed, othersFailed);
  return all === 0 || good * MILLION < all * 920_000 ? 'uptime_below_minimum' : 'eligible';
}

/** Each its part rounded down; what is left goes one by one to the largest remainders, of equal ones to the first key. */
function split(pool: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (sum === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (pool * weight) / sum);
  let left = pool - parts.reduce((a, b) => a + b, 0n);
  const rest = (i: number) => (pool * weights[i]!) % sum;
  const order = [...weights.keys()].sort((a, b) =>
    rest(a) === rest(b) ? a - b : rest(a) > rest(b) ? -1 : 1,
  );
  for (const i of order) {
    if (left === 0n) break;
    parts[i]! += 1n;
    left -= 1n;
  }
  return parts;
}
