import type { ReceiptAttempt, Verdict } from '@coinfront/protocol/registry/receipt.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAllowList } from '../../outbound/allow-list.ts';
import { findEndpointFault, parseEndpoint } from './endpoint-rules.ts';
import {
  isCutOff,
  isOutvoted,
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

  test('in which most networks have another chain say that ours may be the wrong one', () => {
    const node = (network: string, reason: string | null, isTrusted = true) => ({
      network,
      isTrusted,
      attempts: [attempt(reason === null ? 'pass' : 'fail', reason)],
    });
    const foreign = (network: string) => node(network, 'wrong_chain');
    expect(isOutvoted([])).toBe(false);
    // One is our word against its own; many nodes of one network are one.
    expect(isOutvoted([foreign('a'), foreign('a'), foreign('a')])).toBe(false);
    expect(isOutvoted([foreign('a'), foreign('b')])).toBe(true);
    expect(isOutvoted([foreign('a'), foreign('b'), node('c', null)])).toBe(false);
    expect(isOutvoted([foreign('a'), foreign('b'), node('c', 'lagging')])).toBe(false);
    expect(isOutvoted([foreign('a'), foreign('b'), foreign('c'), node('d', null)])).toBe(true);
    // Who never passed with a token has no voice.
    const stranger = (network: string) => node(network, 'wrong_chain', false);
    expect(isOutvoted([stranger('a'), stranger('b'), stranger('c')])).toBe(false);
    expect(isOutvoted([stranger('a'), foreign('b'), foreign('c')])).toBe(true);
    // A network with a node of our chain has ours, and who could not be asked has no voice.
    expect(isOutvoted([foreign('a'), node('a', null), foreign('b')])).toBe(false);
    expect(isOutvoted([foreign('a'), node('b', 'timeout'), node('c', 'wrong_magic')])).toBe(false);
  });

  test('are left out more and more, up to a bound, when a node fails again and again', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 100].map(pauseSlots)).toEqual([0, 0, 0, 0, 1, 3, 7, 15, 15, 15]);
  });
});
