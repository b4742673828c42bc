import { expect, test } from 'vitest';
import { addSteps, type BalanceStep, countStepsUpTo, type SteppingEntry } from './balance-steps.ts';

type Given = Partial<Omit<SteppingEntry, 'amount'>> & { height: number; amount: number };

/** The entries of a ledger, each with the balance up to it. */
function write(given: readonly Given[]): SteppingEntry[] {
  let balance = 0;
  return given.map(({ amount, ...more }) => {
    balance += amount;
    return {
      ...{ kind: 'unattributed', amount: String(amount), balance: String(balance) },
      ...{ assigned_by: null, reversed_kind: more.kind === 'reversal' ? 'unattributed' : null, ...more },
    };
  });
}

function addAll(given: readonly Given[], pageSize = 100): BalanceStep[] {
  const entries = write(given);
  const steps: BalanceStep[] = [];
  for (let at = 0; at < entries.length; at += pageSize)
    addSteps(steps, entries.slice(at, at + pageSize), entries[at + pageSize]);
  return steps;
}

function stepsOf(given: readonly Given[], pageSize?: number): [number, string][] {
  return addAll(given, pageSize).map(({ height, balance }) => [height, String(balance)]);
}

/** By height: what came in until then, and what went out. */
function flowOf(given: readonly Given[], pageSize?: number): [number, string, string][] {
  return addAll(given, pageSize).map(({ height, balance, received }) => [
    height,
    String(received),
    String(received - balance),
  ]);
}

const claimed: Given[] = [
  { height: 10, amount: 5 },
  { height: 100, amount: 95 },
  { height: 10, amount: -5, kind: 'reversal' },
  { height: 10, amount: 5, kind: 'contribution', assigned_by: 'claim' },
];

test.each([1, 2, 3, 100])('a claim of an old gift moves nothing, in pages of %i', (pageSize) => {
  expect(stepsOf(claimed, pageSize)).toEqual([
    [10, '5'],
    [100, '100'],
  ]);
});

test('a note on an old spend moves nothing', () => {
  const noted: Given[] = [
    { height: 10, amount: 100 },
    { height: 20, amount: -40, kind: 'spend' },
    { height: 500, amount: 900 },
    { height: 20, amount: 0, kind: 'note' },
  ];
  expect(stepsOf(noted)).toEqual([
    [10, '100'],
    [20, '60'],
    [500, '960'],
  ]);
});

test('a block counts as a whole: what goes out first in it, and what comes back as change', () => {
  const spent: Given[] = [
    { height: 10, amount: 100 },
    { height: 20, amount: -100, kind: 'spend' },
    { height: 20, amount: 60, kind: 'change' },
  ];
  expect(stepsOf(spent)).toEqual([
    [10, '100'],
    [20, '60'],
  ]);
});

test('blocks that left the chain count for nothing, assigned gifts in them neither', () => {
  const reorganised: Given[] = [
    ...claimed,
    { height: 120, amount: 7 },
    { height: 120, amount: -7, kind: 'reversal' },
    { height: 100, amount: -95, kind: 'reversal' },
    { height: 10, amount: -5, kind: 'reversal' },
    { height: 11, amount: 5 },
    { height: 110, amount: 2 },
  ];
  expect(stepsOf(reorganised)).toEqual([
    [10, '0'],
    [11, '5'],
    [110, '7'],
  ]);
});

test.each([1, 2, 100])(
  'what came in and what went out are told apart, and change is neither, in pages of %i',
  (pageSize) => {
    const moved: Given[] = [
      ...claimed,
      { height: 105, amount: -100, kind: 'spend' },
      { height: 105, amount: -1, kind: 'fee' },
      { height: 105, amount: 60, kind: 'change' },
      { height: 110, amount: 50, kind: 'coinbase' },
      { height: 105, amount: 0, kind: 'note' },
    ];
    expect(flowOf(moved, pageSize)).toEqual([
      [10, '5', '0'],
      [100, '100', '0'],
      [105, '100', '41'],
      [110, '150', '41'],
    ]);
    const gone: Given[] = [
      { height: 110, amount: -50, kind: 'reversal', reversed_kind: 'coinbase' },
      { height: 105, amount: -60, kind: 'reversal', reversed_kind: 'change' },
      { height: 105, amount: 1, kind: 'reversal', reversed_kind: 'fee' },
      { height: 105, amount: 100, kind: 'reversal', reversed_kind: 'spend' },
      { height: 107, amount: -70, kind: 'spend' },
    ];
    expect(flowOf([...moved, ...gone], pageSize)).toEqual([
      [10, '5', '0'],
      [100, '100', '0'],
      [105, '100', '0'],
      [107, '100', '70'],
    ]);
  },
);

test('the balance of a height is that of the last step at or below it', () => {
  const steps = [10, 20, 30].map((height) => ({ height, balance: 1n, received: 1n }));
  expect([9, 10, 19, 30, 99].map((height) => countStepsUpTo(steps, height))).toEqual([0, 1, 1, 3, 3]);
});
