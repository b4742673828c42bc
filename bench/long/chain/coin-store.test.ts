import { expect, test } from 'vitest';
import { createRandom } from '../../chain/random.ts';
import { type CoinStore, createCoinStore } from './coin-store.ts';

/** Adds outputs that can be told apart by the number in their txid. */
function fill(coins: CoinStore, numbers: Iterable<number>): void {
  const txid = Buffer.alloc(32);
  for (const number of numbers) {
    txid.writeUInt32LE(number);
    coins.add(txid, 0, 1, { value: number, payee: number + 1 });
  }
}

function* range(from: number, to: number): Generator<number> {
  for (let number = from; number < to; number++) yield number;
}

function takeMany(coins: CoinStore, count: number): number[] {
  const random = createRandom(1);
  const outpoint = Buffer.alloc(36);
  return Array.from({ length: count }, () => {
    const { value, payee } = coins.take(random, outpoint, 0);
    const spent = [outpoint.readUInt32LE(0), outpoint.readUInt32LE(32)];
    if (spent[0] !== value || spent[1] !== 1) throw new Error(`${value} came with the outpoint ${spent}`);
    if (payee !== value + 1) throw new Error(`${value} came with the payee ${payee}`);
    return value;
  });
}

const shareOf = (values: readonly number[], is: (value: number) => boolean): number =>
  values.filter(is).length / values.length;

test.each(['harsh', 'calibrated'] as const)(
  'of %s ages every output is taken once, until none is left',
  (ages) => {
    const coins = createCoinStore(ages);
    for (let block = 0; block < 10; block++) {
      coins.beginBlock();
      fill(coins, range(block * 10_000, block * 10_000 + 10_000));
    }
    expect(coins.size()).toBe(100_000);
    expect(takeMany(coins, 100_000).toSorted((a, b) => a - b)).toEqual([...range(0, 100_000)]);
    expect(() => takeMany(coins, 1)).toThrow('No output is left');
  },
);

test('of harsh ages seven of ten are among the last 60,000, the others any', () => {
  const coins = createCoinStore('harsh');
  fill(coins, range(0, 300_000));
  const taken = takeMany(coins, 20_000);
  expect(shareOf(taken, (number) => number >= 240_000)).toBeCloseTo(0.7 + 0.3 * 0.2, 1);
  expect(shareOf(taken, (number) => number < 120_000)).toBeCloseTo(0.3 * 0.4, 1);
});

test('of calibrated ages the bands have the shares that are published', () => {
  const coins = createCoinStore('calibrated');
  const blocks = 6_000;
  const perBlock = 100;
  for (let block = 0; block < blocks; block++) {
    coins.beginBlock();
    fill(coins, range(block * perBlock, (block + 1) * perBlock));
  }
  const newest = blocks - 1;
  // Fewer than there are of any age, so that each age has enough.
  const ages = takeMany(coins, 500).map((number) => newest - Math.floor(number / perBlock));
  const between = (least: number, most: number) => shareOf(ages, (age) => age >= least && age <= most);
  expect(between(0, 0)).toBeCloseTo(0.15, 1);
  expect(between(1, 10)).toBeCloseTo(0.3, 1);
  expect(between(11, 144)).toBeCloseTo(0.35, 1);
  expect(between(145, 4_320)).toBeCloseTo(0.15 + 0.05 * 0.7, 1);
  expect(between(4_321, blocks)).toBeGreaterThan(0);
});
