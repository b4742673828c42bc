import { describe, expect, test } from 'vitest';
import { clientNetwork, createRateLimiter } from './rate-limit.ts';

describe('the budget', () => {
  test('is spent by cost, refused beyond, and whole again in the next window', () => {
    const spend = createRateLimiter(10);
    expect(spend('a', 4, 0)).toEqual({ limit: 10, remaining: 6, resetSeconds: 60, allowed: true });
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
