import type { ReceiptAttempt, Verdict } from '@coinfront/protocol/registry/receipt.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
