import { expect, test } from 'vitest';
import { createSpentTrust } from './spent-trust.ts';

test("the node's word is wanted where the disk is slow, and for some blocks after that", () => {
  const pace = { isSlow: false };
  const trust = createSpentTrust(pace, () => {});
  expect(trust.wantsNext()).toBe(false);
  pace.isSlow = true;
  expect(trust.wantsNext()).toBe(true);
  pace.isSlow = false;
  const wants = Array.from({ length: 300 }, () => trust.wantsNext());
  expect(wants.lastIndexOf(true)).toBe(254);
  expect(wants.indexOf(false)).toBe(255);
});

test('once it is found wrong it is not taken any more, and that is told once', () => {
  const reasons: string[] = [];
  const trust = createSpentTrust({ isSlow: true }, (reason) => reasons.push(reason));
  expect(trust.isTaken).toBe(true);
  trust.withdraw('first');
  trust.withdraw('second');
  expect(trust.wantsNext()).toBe(false);
  expect(trust.isTaken).toBe(false);
  expect(reasons).toEqual(['first']);
});

test('the first outputs are all compared, and of the others some', () => {
  const trust = createSpentTrust({ isSlow: true }, () => {});
  const take = (count: number) => Array.from({ length: count }, () => trust.takesSample()).filter(Boolean);
  expect(take(256)).toHaveLength(256);
  expect(take(6_400)).toHaveLength(100);
});
