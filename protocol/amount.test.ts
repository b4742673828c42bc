import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from './amount.ts';

const decimalsArbitrary = fc.integer({ min: 0, max: 18 });

describe('amount', () => {
  test.each([
    [50_000_000n, 8, '0.50000000'],
    [0n, 8, '0.00000000'],
    [1n, 8, '0.00000001'],
    [-1n, 8, '-0.00000001'],
    [2_100_000_000_000_000n, 8, '21000000.00000000'],
    [7n, 0, '7'],
    [-7n, 0, '-7'],
    [123n, 2, '1.23'],
  ])('%s base units with %i decimals are written %s', (base, decimals, text) => {
    expect(formatAmount(base, decimals)).toBe(text);
  });

  test.each([
    ['0.5', 8, 50_000_000n],
    ['21000000', 8, 2_100_000_000_000_000n],
    ['1.00000000', 8, 100_000_000n],
    ['0', 0, 0n],
    ['0.1', 1, 1n],
  ])('%s with %i decimals is read as %s base units', (text, decimals, base) => {
    expect(parseAmount(text, decimals)).toEqual({ ok: true, value: base });
  });

  test('parse(format(amount)) gives amount for every number of decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), decimalsArbitrary, (base, decimals) => {
        expect(parseAmount(formatAmount(base, decimals), decimals)).toEqual({ ok: true, value: base });
      }),
    );
  });

  test('whatever text is read is written back to the same number', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^-?[0-9]{0,22}\.?[0-9]{0,10}(e[0-9])?$/));
    fc.assert(
      fc.property(text, decimalsArbitrary, (input, decimals) => {
        const parsed = parseAmount(input, decimals);
        if (!parsed.ok) return;
        const padded = input.includes('.') ? input : decimals > 0 ? `${input}.` : input;
        const fraction = padded.split('.')[1] ?? '';
        expect(formatAmount(parsed.value, decimals)).toBe(padded + '0'.repeat(decimals - fraction.length));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '1e8',
    '1E8',
    '.5',
    '5.',
    '.',
    '1,5',
    '1_000',
    '00.5',
    '01',
    '0x10',
    '1.2.3',
  ])('refuses %j', (text) => {
    expect(parseAmount(text, 8).ok).toBe(false);
  });

  test.each(['NaN', 'Infinity', '١', '１', '1\n', '\u00001', 'null', '1'.repeat(21), '9'.repeat(100_000)])(
    'refuses %j (hostile)',
    (text) => {
      expect(parseAmount(text, 8).ok).toBe(false);
    },
  );

  test('refuses more decimals than the coin has, zeros too', () => {
    expect(parseAmount('0.123456789', 8)).toEqual({
      ok: false,
      reason: 'amount has 9 decimals, the coin has 8',
    });
    expect(parseAmount('0.100000000', 8).ok).toBe(false);
    expect(parseAmount('1.0', 0).ok).toBe(false);
  });
});
