import { expect, test } from 'vitest';
import { formatAmountShort, formatBaseUnits, isZeroAmount, splitAmount } from './amount.ts';

test.each([
  ['1234567.50000000', { sign: '', whole: '1,234,567', said: '.5', zeros: '0000000' }],
  ['0.00000000', { sign: '', whole: '0', said: '', zeros: '.00000000' }],
  ['-12.00000001', { sign: '-', whole: '12', said: '.00000001', zeros: '' }],
  ['1000', { sign: '', whole: '1,000', said: '', zeros: '' }],
  ['no amount', { sign: '', whole: 'no amount', said: '', zeros: '' }],
])('%s keeps every digit, grouped', (amount, parts) => {
  expect(splitAmount(amount)).toEqual(parts);
  const { sign, whole, said, zeros } = splitAmount(amount);
  expect((sign + whole + said + zeros).replaceAll(',', '')).toBe(amount);
});

test('sentences leave the last zeros out', () => {
  expect(['1.50000000', '2.00000000', '-1000.10'].map(formatAmountShort)).toEqual(['1.5', '2', '-1,000.1']);
});

test('zero is zero in all forms', () => {
  expect(['0', '0.00', '-0.0', '0.01', '10'].map(isZeroAmount)).toEqual([true, true, true, false, false]);
});

test('base units become coins with all their decimals', () => {
  expect([
    formatBaseUnits(0, 8),
    formatBaseUnits(450, 8),
    formatBaseUnits(2_100_000_000_000_001, 8),
    formatBaseUnits(7, 0),
  ]).toEqual(['0.00000000', '0.00000450', '21000000.00000001', '7']);
});
