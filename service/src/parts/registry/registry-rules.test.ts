import type { ReceiptAttempt, Verdict } from '@coinfront/protocol/registry/receipt.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAllowList } from '../../outbound/allow-list.ts';
import { findEndpointFault, parseEndpoint } from './endpoint-rules.ts';
import {
  type EpochNode,
  FULL_WEIGHT,
  shareRewards,
  splitByLargestRemainder,
  uptimePpm,
} from './reward-rules.ts';
import {
  isCutOff,
  judgeAttempts,
  lastLookAt,
  nextSlot,
  pauseSlots,
  planFirstLook,
  planRetry,
  slotAt,
} from './slot-rules.ts';

describe('endpoints', () => {
  test.each([
    ['203.0.113.7:29666', '203.0.113.7:29666', '203.0.113.0/24'],
    ['[2001:DB8:1:2::7]:1', '[2001:db8:1:2::7]:1', '2001:db8:1::/48'],
    ['[::ffff:8.8.8.8]:29666', '8.8.8.8:29666', '8.8.8.0/24'],
  ])('%s is %s in %s', (given, text, network) => {
    expect(parseEndpoint(given)).toMatchObject({ ok: true, value: { text, network } });
  });

  test.each([
    '',
    'node.example:29666',
    '1.2.3.4',
    '1.2.3.4:0',
    '1.2.3.4:65536',
    '1.2.3.4:029',
    '01.2.3.4:29666',
    '1.2.3:29666',
    '0x7f.1.1.1:29666',
    '[1.2.3.4]:29666x',
    '2001:db8::7:29666',
    '[2001:db8::7]',
    '1.2.3.4:29666 ',
    '[fe80::1%eth0]:29666',
    '2130706433:29666',
  ])('%j is none', (given) => {
    expect(parseEndpoint(given).ok).toBe(false);
  });

  test('only public addresses and the ports that are set are looked at', () => {
    const rules = { allow: createAllowList([]), ports: [29_666] };
    const fault = (text: string, more: object = {}) => {
      const parsed = parseEndpoint(text);
      if (!parsed.ok) throw new Error(text);
      return findEndpointFault(parsed.value, { ...rules, ...more });
    };
    expect(fault('8.8.8.8:29666')).toBeUndefined();
    expect(fault('[2600::1]:29666')).toBeUndefined();
    for (const inside of [
      '127.0.0.1',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      '100.64.0.1',
      '[::1]',
      '[fc00::1]',
      '[fe80::1]',
      '[::ffff:127.0.0.1]',
      '[2002:7f00:1::]',
      '[64:ff9b::7f00:1]',
    ])
      expect(fault(`${inside}:29666`), inside).toMatch(/not an address of the public internet/);
    expect(fault('8.8.8.8:22')).toMatch(/port 29666/);
    expect(fault('8.8.8.8:22', { ports: 'any' })).toMatch(/below 1024/);
    expect(fault('8.8.8.8:1024', { ports: 'any' })).toBeUndefined();
    expect(fault('127.0.0.1:29666', { allow: createAllowList(['loopback']) })).toBeUndefined();
  });
});

describe('slots', () => {
  const slot = { startMs: 600_000, endMs: 1_200_000 };
  const attempt = (
    result: Verdict,
    reason: string | null = result === 'pass' ? null : 'timeout',
  ): ReceiptAttempt => ({ at: '', result, reason });

  test('begin at whole multiples of their length; who is late leaves one out', () => {
    expect(slotAt(600_001, 600_000)).toEqual(slot);
    expect(nextSlot(600_500, 600_000)).toEqual(slot);
    expect(nextSlot(900_000, 600_000)).toEqual({ startMs: 1_200_000, endMs: 1_800_000 });
  });

  test('have every look inside of them, and retries apart from first looks', () => {
    const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fraction, fraction, (first, second) => {
        const at = planFirstLook(slot, slot.startMs, first);
        expect(at >= slot.startMs && at < lastLookAt(slot)).toBe(true);
        const again = planRetry(slot, at, second);
        expect(again !== undefined && again >= at + 29_000 && again <= lastLookAt(slot)).toBe(true);
      }),
    );
    expect(planRetry(slot, slot.endMs, 0)).toBeUndefined();
  });

  test.each([
    [[], 'void', 'registry_busy'],
    [['pass'], 'pass', null],
    [['fail', 'pass'], 'pass', null],
    [['void', 'pass'], 'pass', null],
    [['fail', 'fail'], 'fail', 'timeout'],
    [['fail'], 'void', 'registry_busy'],
    [['fail', 'void'], 'void', 'timeout'],
    [['void', 'void'], 'void', 'timeout'],
  ] as const)('%j is %s', (results, verdict, reason) => {
    expect(judgeAttempts(results.map((result) => attempt(result)))).toEqual({ verdict, reason });
  });

  test('in which nobody can be connected to say that we are cut off', () => {
    const node = (network: string, reason: string | null) => ({
      network,
      attempts: [attempt(reason === null ? 'pass' : 'fail', reason), attempt('fail', reason)],
    });
    const gone = (network: string) => node(network, 'unreachable');
    expect(isCutOff([gone('a'), gone('b'), gone('c')])).toBe(true);
    expect(isCutOff([gone('a'), gone('b'), gone('b')])).toBe(false);
    expect(isCutOff([gone('a'), gone('b'), gone('c'), node('d', null)])).toBe(false);
    expect(isCutOff([gone('a'), gone('b'), node('c', 'lagging')])).toBe(false);
  });

  test('are left out more and more, up to a bound, when a node fails again and again', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 100].map(pauseSlots)).toEqual([0, 0, 0, 0, 1, 3, 7, 15, 15, 15]);
  });
});

describe('rewards', () => {
  const node = (nodeKey: string, more: Partial<EpochNode> = {}): EpochNode => ({
    nodeKey,
    passed: 100,
    failed: 0,
    voided: 0,
    network: `net ${nodeKey}`,
    payoutAddress: `address ${nodeKey}`,
    endpointProven: false,
    ...more,
  });
  const optional = { requireProof: false };

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

  test('92% is enough, and void slots count neither way', () => {
    expect(uptimePpm({ passed: 92, failed: 8 })).toBe(920_000);
    expect(uptimePpm({ passed: 0, failed: 0 })).toBeUndefined();
    const shares = shareRewards(
      [
        node('a', { passed: 92, failed: 8, voided: 900 }),
        node('b', { passed: 9_199, failed: 801 }),
        node('c', { passed: 0, voided: 5 }),
      ],
      100n,
      optional,
    );
    expect(shares.map(({ eligibility, amount }) => [eligibility, amount])).toEqual([
      ['eligible', 100n],
      ['uptime_below_minimum', 0n],
      ['not_judged', 0n],
    ]);
  });

  test('a network or an address weighs no more than one node', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), { maxLength: 40 }),
        (given) => {
          const nodes = given.map(([network, address], i) =>
            node(`${i}`.padStart(3, '0'), { network: `${network}`, payoutAddress: `${address}` }),
          );
          const shares = shareRewards(nodes, 10n ** 10n, optional);
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
  });

  test('the order of the rows changes nothing', () => {
    const nodes = ['d', 'a', 'c', 'b'].map((key) => node(key, { network: 'one' }));
    const shares = shareRewards(nodes, 7n, optional);
    expect(shares).toEqual(shareRewards([...nodes].reverse(), 7n, optional));
    expect(shares.map(({ nodeKey, amount }) => [nodeKey, amount])).toEqual([
      ['a', 2n],
      ['b', 2n],
      ['c', 2n],
      ['d', 1n],
    ]);
  });

  test('where proofs are required, only nodes that gave one are eligible', () => {
    const shares = shareRewards([node('a'), node('b', { endpointProven: true })], 10n, {
      requireProof: true,
    });
    expect(shares.map(({ eligibility }) => eligibility)).toEqual(['endpoint_not_proven', 'eligible']);
  });
});
