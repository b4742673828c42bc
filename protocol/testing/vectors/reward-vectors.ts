/** Rewards of one epoch, worked out by hand: rules 3 and 4 differ in what an autonomous system may weigh. */

const slots = 10;
const pool = '1000';

const node = (key: string, more: object = {}) => ({
  node_key: key.repeat(64),
  ...{ passed: 10, failed: 0, proven: 10, others_passed: 0, others_failed: 0 },
  ...{ network: `203.0.${key.charCodeAt(0)}.0/24`, asn: null, payout_address: `of ${key}` },
  ...more,
});

const nodes = [
  node('0', { asn: 64_500, payout_address: 'shared' }),
  node('1', { asn: 64_500 }),
  node('2', { asn: 64_500, proven: 5 }),
  node('3', { asn: 64_501, payout_address: 'shared' }),
  node('4', { network: 'onion' }),
  node('5', { network: 'onion', proven: 4 }),
  node('6', { passed: 8, failed: 2, proven: 8 }),
  node('7', { passed: 2, proven: 2 }),
  node('8', { proven: 0 }),
  node('9', { others_failed: 1 }),
  node('a', { passed: 10, failed: 3 }),
  node('b', { passed: 0, proven: 0 }),
];

/** In the order of the keys. */
const eligibility = [
  ...Array<string>(6).fill('eligible'),
  ...['uptime_below_minimum', 'too_few_slots', 'endpoint_not_proven', 'uptime_below_minimum'],
  // Its failures are more than the slots that it did not pass in: none of them counts.
  ...['eligible', 'not_judged'],
];

const none = (count: number) => Array<string>(count).fill('0');

/** What both rules say of the same nodes. */
export function makeRewardVectors(): unknown {
  const share = (rules: number, weights: readonly string[], amounts: readonly string[]) => ({
    ...{ rules, slots, pool, nodes },
    shares: nodes.map(({ node_key }, i) => ({
      ...{ node_key, eligibility: eligibility[i], weight: weights[i], amount: amounts[i] },
    })),
  });
  const onion = ['714285714285', '285714285714'];
  return [
    share(
      3,
      [
        '500000000000',
        '1000000000000',
        '500000000000',
        '500000000000',
        ...onion,
        ...none(4),
        '1000000000000',
        '0',
      ],
      ['111', '222', '111', '111', '159', '64', ...none(4), '222', '0'],
    ),
    share(
      4,
      [
        '400000000000',
        '400000000000',
        '200000000000',
        '500000000000',
        ...onion,
        ...none(4),
        '1000000000000',
        '0',
      ],
      ['114', '114', '57', '143', '204', '82', ...none(4), '286', '0'],
    ),
  ];
}
