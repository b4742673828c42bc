import { describe, expect, test } from 'vitest';
import { parseClient } from '../clients/client.ts';
import { createRateLimiter, type SpendBudget } from './rate-limit.ts';
import { readSpent, writeSpent } from './spending-notes.ts';

const [a, b] = [parseClient('203.0.113.1'), parseClient('203.0.113.2')];
const hex = (value: number) => value.toString(16);

describe('the budget', () => {
  test('is spent by cost, refused beyond, and whole again in the next window', () => {
    const spend = createRateLimiter(10);
    expect(spend(a, 4, 0)).toMatchObject({ limit: 10, remaining: 6, resetSeconds: 60, allowed: true });
    expect(spend(a, 6, 30_000)).toMatchObject({ remaining: 0, resetSeconds: 30, allowed: true });
    expect(spend(a, 1, 59_999)).toMatchObject({ remaining: 0, resetSeconds: 1, allowed: false });
    expect(spend(a, 1, 60_000)).toMatchObject({ remaining: 9, allowed: true });
  });

  test('lasts for the window that was asked for', () => {
    const spend = createRateLimiter(1, 86_400_000);
    expect(spend(a, 1, 0).allowed).toBe(true);
    expect(spend(a, 1, 86_399_999)).toMatchObject({ allowed: false, resetSeconds: 1 });
    expect(spend(a, 1, 86_400_000).allowed).toBe(true);
  });

  test('that was refused a dear request has nothing left; one that was not still buys a cheap one', () => {
    const spend = createRateLimiter(10);
    spend(a, 7, 0);
    expect(spend(a, 5, 0)).toMatchObject({ allowed: false, remaining: 0 });
    expect(spend(a, 3, 0)).toMatchObject({ allowed: false });
    spend(b, 7, 0);
    expect(spend(b, 3, 0)).toMatchObject({ allowed: true });
  });

  test('is not asked for what costs nothing', () => {
    const spend = createRateLimiter(1);
    spend(a, 1, 0);
    expect(spend(a, 0, 0)).toMatchObject({ allowed: true, remaining: 0 });
  });

  test('is overdrawn by what is found out afterwards, and the next windows pay for it', () => {
    const spend = createRateLimiter(10);
    spend(a, 1, 0);
    spend.owe(a, 24, 0);
    // 25 are spent: 15 are owed after the first minute, 5 after the second.
    expect(spend(a, 1, 30_000)).toMatchObject({ allowed: false, resetSeconds: 30, retrySeconds: 90 });
    expect(spend(a, 1, 60_000)).toMatchObject({ allowed: false, retrySeconds: 60 });
    expect(spend(a, 1, 120_000)).toMatchObject({ allowed: true, remaining: 4 });
    expect(spend(b, 1, 120_000)).toMatchObject({ allowed: true, remaining: 9 });
  });

  test('owes ten windows at most, and nothing after a long pause', () => {
    const spend = createRateLimiter(10);
    spend.owe(a, 1_000_000, 0);
    expect(spend(a, 1, 0).retrySeconds).toBe(600);
    expect(spend(a, 1, 900_000)).toMatchObject({ allowed: true, remaining: 9 });
  });

  test('takes back what was not needed, in the window that it came from, and never more than was spent', () => {
    const spend = createRateLimiter(10);
    spend(a, 8, 30_000);
    expect(spend.giveBack(a, 7, 30_000, 31_000)).toBe(9);
    expect(spend(a, 9, 32_000)).toMatchObject({ remaining: 0, allowed: true });
    expect(spend.giveBack(a, 7, 32_000, 60_000)).toBe(10);
    expect(spend(a, 4, 61_000)).toMatchObject({ remaining: 6 });
    expect(spend.giveBack(a, 7, 32_000, 62_000)).toBe(6);
    expect(spend.giveBack(a, 50, 61_000, 62_000)).toBe(10);
    expect(spend(a, 11, 63_000).allowed).toBe(false);
  });

  test('is told in whole units, rounded down', () => {
    const spend = createRateLimiter(10);
    expect(spend(a, 0.5, 0)).toMatchObject({ remaining: 9, allowed: true });
    expect(spend(a, 0.5, 0)).toMatchObject({ remaining: 9, allowed: true });
  });

  test('is each client for itself', () => {
    const spend = createRateLimiter(1);
    expect([spend(a, 1, 0).allowed, spend(b, 1, 0).allowed, spend(a, 1, 0).allowed]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('who owns many addresses', () => {
  /** Every /64 of a /48 asks once; gives how many were let in. */
  function flood(spend: ReturnType<typeof createRateLimiter>, site: string): number {
    let allowed = 0;
    for (let i = 0; i < 65_536; i++) if (spend(parseClient(`${site}:${hex(i)}::1`), 1, 0).allowed) allowed++;
    return allowed;
  }

  test('has 4 budgets for a /56 and 16 for a /48, and is told which is used up', () => {
    const spend = createRateLimiter(100);
    const ofSite = (i: number, cost = 1) => spend(parseClient(`2001:db8:1:${hex(i)}::1`), cost, 0);
    for (let i = 0; i < 4; i++) expect(ofSite(i, 100).allowed).toBe(true);
    expect(ofSite(4)).toMatchObject({
      allowed: false,
      remaining: 0,
      retrySeconds: 60,
      usedUp: { name: '2001:db8:1:0::/56', share: 4 },
    });
    for (let i = 1; i < 13; i++) expect(ofSite(i * 256, 100).allowed).toBe(true);
    expect(ofSite(20 * 256)).toMatchObject({
      allowed: false,
      usedUp: { name: '2001:db8:1::/48', share: 16 },
    });
    // The next /48 and the next minute have nothing to do with it.
    expect(spend(parseClient('2001:db8:2::1'), 1, 0).allowed).toBe(true);
    expect(spend(parseClient('2001:db8:1:1400::1'), 1, 60_000).allowed).toBe(true);
  });

  test('cannot use up what newcomers of other networks have, with all of a /48', () => {
    const spend = createRateLimiter(100);
    expect(flood(spend, '2001:db8:1')).toBe(1_600);
    for (const newcomer of ['2001:db8:2::1', '2001:470::1', '203.0.113.7', '198.51.100.1'])
      expect(spend(parseClient(newcomer), 100, 0), newcomer).toMatchObject({ allowed: true, remaining: 0 });
  });

  test('is not forgotten, and keeps no newcomer out, however many others come', () => {
    const spend = createRateLimiter(600);
    const known = parseClient('2001:db8:1:1::1');
    spend(known, 600, 0);
    for (let i = 0; i < 50_000; i++) {
      spend(parseClient(`2001:${hex(0x1000 + (i >> 8))}:${hex(i & 0xff)}::1`), 1, 0);
      spend(parseClient(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`), 1, 0);
    }
    expect(spend(known, 1, 0).allowed).toBe(false);
    // Cells are shared with a few of so many, who have spent little.
    expect(spend(parseClient('2001:db8:9::1'), 590, 0).allowed).toBe(true);
    expect(spend(parseClient('203.0.113.7'), 590, 0).allowed).toBe(true);
  });
});

test('limiters that share count together, and what came too late is paid for by the next windows', () => {
  const key = new Uint8Array(16).fill(7);
  const limiters = [createRateLimiter(64), createRateLimiter(64)] as const;
  const [first, second] = limiters.map((limiter) => limiter.share(key));
  const client = parseClient('203.0.113.9');
  const spendAll = (limiter: SpendBudget, nowMs: number) => {
    let allowed = 0;
    while (limiter(client, 1, nowMs).allowed) allowed += 1;
    return allowed;
  };
  const exchange = (nowMs: number) => {
    const messages = [first!, second!].map((share, i) => writeSpent(`p${i}`, share.take()));
    for (const message of messages[0]!) second!.add(readSpent('p1', message), nowMs);
    for (const message of messages[1]!) first!.add(readSpent('p0', message), nowMs);
    for (const message of messages[0]!) expect(readSpent('p0', message)).toEqual([]);
  };

  // Told of each other in time they let in what one would.
  for (let i = 0; i < 20; i++) {
    expect(limiters[0](client, 1, 0).allowed).toBe(true);
    exchange(0);
  }
  expect(limiters[1](client, 1, 0).remaining).toBe(43);
  // Before they are told, each lets in what it knows to be left; the next window pays for that.
  expect([spendAll(limiters[0], 1), spendAll(limiters[1], 1)]).toEqual([44, 43]);
  exchange(2);
  expect(spendAll(limiters[0], 60_000)).toBe(64 - 43 - 1);
  expect(spendAll(limiters[1], 60_000)).toBe(64 - 44);
  // Others are not touched by it.
  expect(limiters[0](parseClient('203.0.113.10'), 1, 60_001).remaining).toBe(63);
});
