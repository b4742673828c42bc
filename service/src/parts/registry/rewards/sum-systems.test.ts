import { expect, test } from 'vitest';
import { FULL_WEIGHT, type RewardShare } from './reward-parts.ts';
import { sumSystems } from './sum-systems.ts';

const share = (asn: number | null, weight: bigint, given: Partial<RewardShare> = {}): RewardShare => ({
  nodeKey: 'a',
  ...{
    passed: 1,
    failed: 0,
    voided: 0,
    network: '',
    asn,
    payoutAddress: '',
    endpointProven: true,
    proven: 1,
  },
  ...{ othersPassed: 0, othersFailed: 0, uptimePpm: 1_000_000, eligibility: 'eligible', weight, amount: 5n },
  ...{ sharesNetworkWith: 1, sharesAsWith: 1, sharesAddressWith: 1 },
  ...given,
});

test('shares are summed by autonomous system, and those of unknown ones are in none', () => {
  const half = FULL_WEIGHT / 2n;
  const shares = [
    share(64_501, half),
    share(64_500, half),
    share(null, FULL_WEIGHT),
    share(64_501, half),
    share(64_499, 0n, { eligibility: 'not_judged', amount: 0n }),
    share(64_498, 0n, { eligibility: 'not_judged', amount: 0n }),
  ];
  expect(sumSystems(shares)).toEqual([
    { asn: 64_501, nodes: 2, eligible: 2, weight: FULL_WEIGHT, amount: 10n },
    { asn: 64_500, nodes: 1, eligible: 1, weight: half, amount: 5n },
    { asn: 64_498, nodes: 1, eligible: 0, weight: 0n, amount: 0n },
    { asn: 64_499, nodes: 1, eligible: 0, weight: 0n, amount: 0n },
  ]);
});
