import { expect, test } from 'vitest';
import { type ReadTx, sumCounterparties } from './sum-counterparties.ts';

const tx = (
  inputs: readonly (readonly [address: string | null, value: string] | 'coinbase')[],
  outputs: readonly (readonly [address: string | null, value: string])[],
  more: Partial<ReadTx> = {},
): ReadTx => ({
  input_count: inputs.length,
  output_count: outputs.length,
  inputs: inputs.map((input) =>
    input === 'coinbase'
      ? { coinbase: true, prevout: null }
      : { coinbase: false, prevout: { address: input[0], value: input[1] } },
  ),
  outputs: outputs.map(([address, value]) => ({ address, value })),
  ...more,
});

test('who pays counts with what was added, and who is paid with the values of outputs', () => {
  const found = sumCounterparties(
    'me',
    [
      tx(
        [['ann', '5.00']],
        [
          ['me', '3.00'],
          ['ann', '1.99'],
        ],
      ),
      tx(
        [
          ['ann', '1.99'],
          ['bob', '1.00'],
        ],
        [['me', '2.50']],
      ),
      tx(['coinbase'], [['me', '50.00']]),
      tx(
        [['me', '50.00']],
        [
          ['cat', '20.00'],
          ['cat', '5.00'],
          ['me', '24.00'],
          [null, '0.00'],
          [null, '0.50'],
        ],
      ),
    ],
    2,
  );
  expect(found).toEqual({
    payers: [
      { who: 'coinbase', txCount: 1, amount: '50.00' },
      { who: 'ann', txCount: 2, amount: '5.50' },
      { who: 'bob', txCount: 1, amount: '2.50' },
    ],
    payees: [
      { who: 'cat', txCount: 1, amount: '25.00' },
      { who: 'scripts', txCount: 1, amount: '0.50' },
    ],
    txCount: 4,
    partialCount: 0,
  });
});

test('of many sides the first ten are listed, and what was not read whole is counted', () => {
  const outputs = Array.from({ length: 12 }, (_, i) => [`to ${i}`, `${i + 1}.00`] as const);
  const found = sumCounterparties('me', [tx([['me', '99.00']], outputs, { output_count: 700 })], 2);
  expect(found.payees.map(({ who }) => who)).toEqual(Array.from({ length: 10 }, (_, i) => `to ${11 - i}`));
  expect(found.partialCount).toBe(1);
  expect(sumCounterparties('me', [], 2)).toEqual({ payers: [], payees: [], txCount: 0, partialCount: 0 });
});
