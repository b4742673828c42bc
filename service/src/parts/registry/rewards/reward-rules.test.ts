import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EpochNode, FULL_WEIGHT, splitByLargestRemainder, uptimePpm } from './reward-parts.ts';
import { shareRewards } from './reward-rules.ts';

const node = (nodeKey: string, more: Partial<EpochNode> = {}): EpochNode => ({
  nodeKey,
  passed: 100,
  failed: 0,
  voided: 0,
  network: `net ${nodeKey}`,
  asn: null,
  payoutAddress: `address ${nodeKey}`,
  endpointProven: true,
  proven: 100,
  othersPassed: 0,
  othersFailed: 0,
  ...more,
});
const first = { rules: 1, slots: 0, requireProof: false };
const second = { rules: 2, slots: 100, requireProof: false };
const third = { rules: 3, slots: 100, requireProof: false };

test('parts sum to the whole exactly, and none is off by one unit or more', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fc.array(fc.bigInt({ min: 0n, max: FULL_WEIGHT }), { maxLength: 60 }),
      (total, weights) => {
        const parts = splitByLargestRemainder(total, weights);
        const sum = weights.reduce((a, b) => a + b, 0n);
        expect(parts.reduce((a, b) => a + b, 0n)).toBe(sum === 0n ? 0n : total);
        for (const [i, part] of parts.entries()) {
          if (sum === 0n) continue;
          const exact = total * weights[i]!;
          expect(part * sum > exact - sum && part * sum < exact + sum).toBe(true);
        }
      },
    ),
  );
  expect(splitByLargestRemainder(10n, [1n, 1n, 1n])).toEqual([4n, 3n, 3n]);
});

test.each([first, second, third])(
  '92% is enough, and void slots count neither way (rules $rules)',
  (rules) => {
    expect(uptimePpm({ passed: 92, failed: 8 })).toBe(920_000);
    expect(uptimePpm({ passed: 0, failed: 0 })).toBeUndefined();
    const shares = shareRewards(
      [
        node('a', { passed: 9_200, failed: 800, voided: 900 }),
        node('b', { passed: 9_199, failed: 801 }),
        node('c', { passed: 0, voided: 5 }),
      ],
      100n,
      { ...rules, slots: 10_000 },
    );
    expect(shares.map(({ eligibility, amount }) => [eligibility, amount])).toEqual([
      ['eligible', 100n],
      ['uptime_below_minimum', 0n],
      ['not_judged', 0n],
    ]);
  },
);

test.each([first, second, third])(
  'a network or an address weighs no more than one node (rules $rules)',
  (rules) => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), { maxLength: 40 }),
        (given) => {
          const nodes = given.map(([network, address], i) =>
            node(`${i}`.padStart(3, '0'), { network: `${network}`, payoutAddress: `${address}` }),
          );
          const shares = shareRewards(nodes, 10n ** 10n, rules);
          for (const key of ['network', 'payoutAddress'] as const) {
            const weights = new Map<string, bigint>();
            for (const share of shares)
              weights.set(share[key], (weights.get(share[key]) ?? 0n) + share.weight);
            for (const weight of weights.values()) expect(weight <= FULL_WEIGHT).toBe(true);
          }
          expect(shares.reduce((sum, { amount }) => sum + amount, 0n)).toBe(
            given.length === 0 ? 0n : 10n ** 10n,
          );
        },
      ),
    );
  },
);

test.each([first, second, third])('the order of the rows changes nothing (rules $rules)', (rules) => {
  const nodes = ['d', 'a', 'c', 'b'].map((key) => node(key, { network: 'one' }));
  const shares = shareRewards(nodes, 7n, rules);
  expect(shares).toEqual(shareRewards([...nodes].reverse(), 7n, rules));
  expect(shares.map(({ nodeKey, amount }) => [nodeKey, amount])).toEqual([
    ['a', 2n],
    ['b', 2n],
    ['c', 2n],
    ['d', 1n],
  ]);
});

test.each([true, false])(
  'a node that did not show its token weighs nothing, whether lists leave it out (%s) or not',
  (requireProof) => {
    const shares = shareRewards(
      [
        node('a', { proven: 0 }),
        node('b', { endpointProven: false, proven: 1 }),
        node('c', { passed: 0, proven: 0 }),
      ],
      10n,
      { rules: 2, slots: 100, requireProof },
    );
    expect(shares.map(({ eligibility, weight, amount }) => [eligibility, weight > 0n, amount])).toEqual([
      ['endpoint_not_proven', false, 0n],
      ['eligible', true, 10n],
      ['not_judged', false, 0n],
    ]);
  },
);

test('under the first rules the operator said whether a proof was needed', () => {
  const nodes = [node('a', { endpointProven: false }), node('b')];
  const list = (requireProof: boolean) =>
    shareRewards(nodes, 10n, { rules: 1, slots: 0, requireProof }).map(({ eligibility }) => eligibility);
  expect(list(true)).toEqual(['endpoint_not_proven', 'eligible']);
  expect(list(false)).toEqual(['eligible', 'eligible']);
});

test('since rules 3 a node has no more slots than the epoch: the rest of its failures is of slots that were not counted', () => {
  const nodes = [
    node('a', { passed: 92, failed: 40 }),
    node('b', { passed: 91, failed: 40 }),
    node('c', { passed: 50, proven: 50, othersPassed: 50, othersFailed: 70 }),
    node('d', { passed: 100, othersFailed: 200 }),
    node('e', { passed: 0, proven: 0, failed: 300 }),
  ];
  const list = (rules: typeof third) =>
    shareRewards(nodes, 100n, rules).map(({ uptimePpm: ppm, eligibility }) => [ppm, eligibility]);
  expect(list(third)).toEqual([
    [920_000, 'eligible'],
    [910_000, 'uptime_below_minimum'],
    [666_666, 'uptime_below_minimum'],
    [500_000, 'uptime_below_minimum'],
    [0, 'endpoint_not_proven'],
  ]);
  // Epochs that began under rules 2 end under them.
  expect(list(second).slice(0, 2)).toEqual([
    [696_969, 'uptime_below_minimum'],
    [694_656, 'uptime_below_minimum'],
  ]);
});

test('a node weighs the slots that it passed and proved of all slots of the epoch', () => {
  const served = (nodeKey: string, passed: number, more: Partial<EpochNode> = {}) =>
    node(nodeKey, { passed, proven: passed, ...more });
  const shares = shareRewards(
    [
      served('a', 100),
      served('b', 50),
      served('c', 25),
      served('d', 24),
      // Void slots of its own are slots of the epoch all the same.
      served('e', 50, { voided: 50 }),
      served('f', 100, { proven: 10 }),
    ],
    235n,
    second,
  );
  expect(shares.map(({ eligibility, weight, amount }) => [eligibility, weight, amount])).toEqual([
    ['eligible', FULL_WEIGHT, 100n],
    ['eligible', FULL_WEIGHT / 2n, 50n],
    ['eligible', FULL_WEIGHT / 4n, 25n],
    ['too_few_slots', 0n, 0n],
    ['eligible', FULL_WEIGHT / 2n, 50n],
    ['eligible', FULL_WEIGHT / 10n, 10n],
  ]);
});

test('what others did at its endpoint counts for the uptime of a node, and not for its weight', () => {
  const shares = shareRewards(
    [
      node('a', { passed: 50, proven: 50, othersFailed: 50 }),
      node('b', { passed: 50, proven: 50, othersPassed: 50 }),
      node('c', { passed: 50, failed: 5, proven: 50, othersPassed: 45 }),
      node('d', { passed: 0, proven: 0, othersPassed: 100 }),
    ],
    100n,
    second,
  );
  expect(shares.map(({ eligibility, amount }) => [eligibility, amount])).toEqual([
    ['uptime_below_minimum', 0n],
    ['eligible', 50n],
    ['eligible', 50n],
    ['not_judged', 0n],
  ]);
});

test('whatever nodes there are, amounts sum to the pool, and no network and no address weighs more than one node', () => {
  const some = fc.record({
    passed: fc.integer({ min: 0, max: 120 }),
    failed: fc.integer({ min: 0, max: 200 }),
    proven: fc.integer({ min: 0, max: 120 }),
    network: fc.constantFrom('1', '2', '3', '4'),
    payoutAddress: fc.constantFrom('x', 'y', 'z', 'w'),
    othersFailed: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(
      fc.array(some, { maxLength: 40 }),
      fc.integer({ min: 1, max: 100 }),
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      (given, slots, pool) => {
        const nodes = given.map((each, i) =>
          node(`${i}`.padStart(3, '0'), { ...each, proven: Math.min(each.proven, each.passed) }),
        );
        const shares = shareRewards(nodes, pool, { rules: 3, slots, requireProof: false });
        for (const key of ['network', 'payoutAddress'] as const) {
          const sums = new Map<string, bigint>();
          for (const share of shares) sums.set(share[key], (sums.get(share[key]) ?? 0n) + share.weight);
          for (const sum of sums.values()) expect(sum <= FULL_WEIGHT).toBe(true);
        }
        const isShared = shares.some(({ weight }) => weight > 0n);
        expect(shares.reduce((sum, { amount }) => sum + amount, 0n)).toBe(isShared ? pool : 0n);
        for (const { eligibility, weight } of shares) expect(weight > 0n).toBe(eligibility === 'eligible');
      },
    ),
  );
});

test('under rules 4 the nodes of an autonomous system weigh no more than one together, also those of different networks', () => {
  const nodes = [
    node('a', { asn: 64_500 }),
    node('b', { asn: 64_500 }),
    node('c', { asn: 64_500, proven: 50 }),
    node('d', { asn: 64_501 }),
    node('e'),
  ];
  const weigh = (rules: number) =>
    shareRewards(nodes, 1_000n, { rules, slots: 100, requireProof: false }).map(({ weight }) => weight);
  expect(weigh(4)).toEqual([
    (FULL_WEIGHT * 2n) / 5n,
    (FULL_WEIGHT * 2n) / 5n,
    FULL_WEIGHT / 5n,
    FULL_WEIGHT,
    FULL_WEIGHT,
  ]);
  expect(weigh(3)).toEqual([FULL_WEIGHT, FULL_WEIGHT, FULL_WEIGHT / 2n, FULL_WEIGHT, FULL_WEIGHT]);
  const shares = shareRewards(nodes, 1_000n, { rules: 4, slots: 100, requireProof: false });
  expect(shares.map(({ sharesAsWith }) => sharesAsWith)).toEqual([3, 3, 3, 1, 0]);
});

test('under rules 4 no network, no system and no address weighs more than one node, whatever comes', () => {
  const some = fc.record({
    proven: fc.integer({ min: 0, max: 100 }),
    network: fc.constantFrom('n1', 'n2', 'n3'),
    asn: fc.constantFrom(null, 1, 2),
    payoutAddress: fc.constantFrom('x', 'y', 'z'),
  });
  fc.assert(
    fc.property(fc.array(some, { maxLength: 30 }), (given) => {
      const nodes = given.map((each, i) => node(String(i).padStart(3, '0'), each));
      const shares = shareRewards(nodes, 1_000n, { rules: 4, slots: 100, requireProof: false });
      for (const keyOf of [
        (share: (typeof shares)[number]) => share.network,
        (share: (typeof shares)[number]) =>
          share.asn === null ? `alone ${share.nodeKey}` : String(share.asn),
        (share: (typeof shares)[number]) => share.payoutAddress,
      ]) {
        const sums = new Map<string, bigint>();
        for (const share of shares) sums.set(keyOf(share), (sums.get(keyOf(share)) ?? 0n) + share.weight);
        for (const sum of sums.values()) expect(sum <= FULL_WEIGHT).toBe(true);
      }
    }),
  );
});
