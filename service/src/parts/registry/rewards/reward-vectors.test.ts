import { expect, test } from 'vitest';
import vectors from '../../../../../docs/protocols/vectors/registry.json' with { type: 'json' };
import { shareRewards } from './reward-rules.ts';

test('rewards are shared as the vectors say', () => {
  expect(vectors.rewards.map(({ rules }) => rules)).toEqual([3, 4]);
  for (const { rules, slots, pool, nodes, shares } of vectors.rewards) {
    const given = nodes.map((node) => ({
      ...{ nodeKey: node.node_key, passed: node.passed, failed: node.failed, voided: 0, proven: node.proven },
      ...{ othersPassed: node.others_passed, othersFailed: node.others_failed, endpointProven: true },
      ...{ network: node.network, asn: node.asn, payoutAddress: node.payout_address },
    }));
    const ours = shareRewards(given, BigInt(pool), { rules, slots, requireProof: false });
    expect(
      ours.map((share) => ({
        node_key: share.nodeKey,
        eligibility: share.eligibility,
        weight: String(share.weight),
        amount: String(share.amount),
      })),
    ).toEqual(shares);
  }
});
