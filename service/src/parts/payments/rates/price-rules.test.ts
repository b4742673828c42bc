import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertPrice, decimalsOf, isCurrency, parsePrice } from './price-rules.ts';
import { type Rate, rateScale } from './rate-rules.ts';

const rateOne = 10n ** BigInt(rateScale);

test.each([
  ['EUR', 2],
  ['USD', 2],
  ['JPY', 0],
  ['KRW', 0],
  ['ISK', 0],
  ['KWD', 3],
  ['IQD', 3],
  ['CLF', 4],
  // Where Intl shows none, and the currency has some all the same.
  ['HUF', 2],
  ['AFN', 2],
])('%s has %i decimals', (currency, decimals) => {
  expect(decimalsOf(currency)).toBe(decimals);
});

test.each(['EUR', 'JPY', 'XOF', 'ZWG'])('%s can be a currency of prices', (code) => {
  expect(isCurrency(code)).toBe(true);
});

test.each(['eur', 'EURO', 'EU', '', 'E1R', 'XAU', 'XXX', 'XTS', '__proto__', 'ÄÖÜ'])(
  '%j cannot be a currency of prices',
  (code) => {
    expect(isCurrency(code)).toBe(false);
  },
);

describe('a price', () => {
  test.each([
    ['19.90', 'EUR', 1990n],
    ['19.9', 'EUR', 1990n],
    ['19', 'EUR', 1900n],
    ['0.01', 'EUR', 1n],
    ['1990', 'JPY', 1990n],
    ['1.234', 'KWD', 1234n],
  ])('of %s %s is %i of its smallest units', (amount, currency, units) => {
    expect(parsePrice(amount, currency)).toEqual({ ok: true, value: units });
  });

  test.each([
    ['19.901', 'EUR'],
    ['19.900', 'EUR'],
    ['1.0', 'JPY'],
    ['1.2345', 'KWD'],
    ['0', 'EUR'],
    ['0.00', 'EUR'],
    ['-1', 'EUR'],
    ['1e3', 'EUR'],
    ['01.00', 'EUR'],
    ['', 'EUR'],
  ])('of "%s" %s is refused', (amount, currency) => {
    expect(parsePrice(amount, currency).ok).toBe(false);
  });

  test('of 19.90 EUR at 0.0123 EUR a coin is 1617.88617887 coins, rounded up', () => {
    expect(convertPrice(1990n, 'EUR', (rateOne * 123n) / 10_000n, 8)).toBe(1617_88617887n);
  });

  test('that comes out even is not rounded', () => {
    expect(convertPrice(1000n, 'JPY', 250n * rateOne, 8)).toBe(4_00000000n);
  });

  test('is never more than its coins are worth, and with one base unit less it would be', () => {
    const prices = fc.bigInt({ min: 1n, max: 10n ** 24n });
    const rates = fc
      .tuple(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.integer({ min: 0, max: 32 }))
      .map(([digits, shift]): Rate => digits * 10n ** BigInt(shift));
    const currencies = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF');
    fc.assert(
      fc.property(
        prices,
        rates,
        currencies,
        fc.integer({ min: 0, max: 18 }),
        (price, rate, currency, decimals) => {
          const units = convertPrice(price, currency, rate, decimals);
          // Both sides in units of one coin's base unit at 10^-32 of the currency's smallest unit.
          const worth = (amount: bigint) => amount * rate * 10n ** BigInt(decimalsOf(currency));
          const asked = price * 10n ** BigInt(decimals + rateScale);
          expect(worth(units) >= asked).toBe(true);
          expect(worth(units - 1n) < asked).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
