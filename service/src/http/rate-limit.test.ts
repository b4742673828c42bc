import { describe, expect, test } from 'vitest';
import { clientNetwork, createRateLimiter } from './rate-limit.ts';

describe('the budget', () => {
  test('is spent by cost, refused beyond, and whole again in the next window', () => {
    const spend = createRateLimiter(10);
    expect(spend('a', 4, 0)).toMatchObject({ limit: 10, remaining: 6, resetSeconds: 60, allowed: true });
    expect(spend('a', 6, 30_000)).toMatchObject({ remaining: 0, resetSeconds: 30, allowed: true });
    expect(spend('a', 1, 59_999)).toMatchObject({ remaining: 0, resetSeconds: 1, allowed: false });
    expect(spend('a', 1, 60_000)).toMatchObject({ remaining: 9, allowed: true });
  });

  test('lasts for the window that was asked for', () => {
    const spend = createRateLimiter(1, 86_400_000);
    expect(spend('a', 1, 0).allowed).toBe(true);
    expect(spend('a', 1, 86_399_999)).toMatchObject({ allowed: false, resetSeconds: 1 });
    expect(spend('a', 1, 86_400_000).allowed).toBe(true);
  });

  test('that was refused a dear request still buys a cheap one', () => {
    const spend = createRateLimiter(10);
    spend('a', 7, 0);
    expect(spend('a', 5, 0)).toMatchObject({ allowed: false, remaining: 0 });
    const other = createRateLimiter(10);
    other('a', 7, 0);
    expect(other('a', 3, 0)).toMatchObject({ allowed: true });
  });

  test('is overdrawn by what is found out afterwards, and the next windows pay for it', () => {
    const spend = createRateLimiter(10);
    spend('a', 1, 0);
    spend.owe('a', 24, 0);
    // 25 are spent: 15 are owed after the first minute, 5 after the second.
    expect(spend('a', 1, 30_000)).toMatchObject({ allowed: false, resetSeconds: 30, retrySeconds: 90 });
    expect(spend('a', 1, 60_000)).toMatchObject({ allowed: false, retrySeconds: 60 });
    expect(spend('a', 1, 120_000)).toMatchObject({ allowed: true, remaining: 4 });
    expect(spend('b', 1, 120_000)).toMatchObject({ allowed: true, remaining: 9 });
  });

  test('owes ten windows at most, and nothing after a long pause', () => {
    const spend = createRateLimiter(10);
    spend.owe('a', 1_000_000, 0);
    expect(spend('a', 1, 0).retrySeconds).toBe(600);
    expect(spend('a', 1, 900_000)).toMatchObject({ allowed: true, remaining: 9 });
  });

  test('takes back what was not needed, in the window that it came from, and never more than was spent', () => {
    const spend = createRateLimiter(10);
    spend('a', 8, 30_000);
    expect(spend.giveBack('a', 7, 30_000, 31_000)).toBe(9);
    expect(spend('a', 9, 32_000)).toMatchObject({ remaining: 0, allowed: true });
    expect(spend.giveBack('a', 7, 32_000, 60_000)).toBe(10);
    expect(spend('a', 4, 61_000)).toMatchObject({ remaining: 6 });
    expect(spend.giveBack('a', 7, 32_000, 62_000)).toBe(6);
    expect(spend.giveBack('a', 50, 61_000, 62_000)).toBe(10);
    expect(spend('a', 11, 63_000).allowed).toBe(false);
  });

  test('is told in whole units, rounded down', () => {
    const spend = createRateLimiter(10);
    expect(spend('a', 0.5, 0)).toMatchObject({ remaining: 9, allowed: true });
    expect(spend('a', 0.5, 0)).toMatchObject({ remaining: 9, allowed: true });
  });

  test('is each client for itself', () => {
    const spend = createRateLimiter(1);
    expect([spend('a', 1, 0).allowed, spend('b', 1, 0).allowed, spend('a', 1, 0).allowed]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('is shared by newcomers when more clients come than are remembered', () => {
    const spend = createRateLimiter(1);
    for (let i = 0; i < 50_000; i++) spend(`client-${i}`, 1, 0);
    expect(spend('late-1', 1, 0).allowed).toBe(true);
    expect(spend('late-2', 1, 0).allowed).toBe(false);
    expect(spend('client-3', 1, 0).allowed).toBe(false);
  });
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s is counted as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
