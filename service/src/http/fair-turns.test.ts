import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseClient } from '../clients/client.ts';
import { createFairTurns } from './fair-turns.ts';

/** Requests of addresses, each of which takes a millisecond of a clock; gives the addresses as they were begun. */
async function begin(addresses: readonly string[]): Promise<string[]> {
  let nowMs = 0;
  const beginFairly = createFairTurns(() => nowMs);
  const begun: string[] = [];
  for (const address of addresses) {
    beginFairly(
      () => parseClient(address),
      () => {
        nowMs += 1;
        begun.push(address);
      },
    );
  }
  while (begun.length < addresses.length) {
    const before = begun.length;
    await nextTurn();
    expect(begun.length - before).toBeLessThanOrEqual(2);
  }
  return begun;
}

test('what comes alone is begun at once', () => {
  const begun: number[] = [];
  createFairTurns(() => 0)(
    () => parseClient('10.0.0.1'),
    () => begun.push(1),
  );
  expect(begun).toEqual([1]);
});

test('who sends hundreds keeps nobody else waiting for more than one of them, and all are begun', async () => {
  const many = Array.from({ length: 300 }, () => '10.0.0.1');
  const begun = await begin([...many, '10.0.0.2', '10.0.0.3']);
  expect(begun.indexOf('10.0.0.2')).toBeLessThanOrEqual(4);
  expect(begun.indexOf('10.0.0.3')).toBeLessThanOrEqual(5);
  expect(begun.filter((address) => address === '10.0.0.1').length).toBe(300);
});

test('all addresses of an IPv6 /48 have one turn', async () => {
  const many = Array.from({ length: 300 }, (_, i) => `2001:db8:1:${i.toString(16)}::1`);
  const begun = await begin([...many, '2001:db8:2::1']);
  expect(begun.indexOf('2001:db8:2::1')).toBeLessThanOrEqual(4);
});
