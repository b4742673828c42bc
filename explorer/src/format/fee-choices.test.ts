import { expect, test } from 'vitest';
import { chooseFees } from './fee-choices.ts';

const estimate = (target_blocks: number, per_vb: string) => ({
  target_blocks,
  per_vb,
  per_kvb: '',
  source: 'node' as const,
});

test('three choices have the rates for a block, six and a day of blocks, and what a usual payment costs', () => {
  const estimates = [
    estimate(1, '12.345'),
    estimate(2, '9.000'),
    estimate(6, '5.000'),
    estimate(144, '1.001'),
    estimate(1_008, '1.000'),
  ];
  expect(chooseFees({ estimates }, 8)).toEqual([
    { name: 'High', rate: '12.345', blocks: 1, cost: '0.00001729' },
    { name: 'Medium', rate: '5.000', blocks: 6, cost: '0.00000700' },
    { name: 'Low', rate: '1.001', blocks: 144, cost: '0.00000141' },
  ]);
});

test('where a target has no estimate the next sooner one stands for it, and where there is none nothing is made up', () => {
  expect(
    chooseFees({ estimates: [estimate(1, '2.000'), estimate(3, '1.500')] }, 8).map(({ blocks }) => blocks),
  ).toEqual([1, 3, 3]);
  expect(chooseFees({ estimates: [estimate(504, '1.000')] }, 8)).toEqual([]);
  expect(chooseFees({ estimates: [] }, 8)).toEqual([]);
});
