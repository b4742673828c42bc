import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeMoney, readShopAmount } from './invoice-money-rules.ts';

const coin = { ticker: 'TST', decimals: 8 };
const read = (given: string | number, decimals = 8) => {
  const result = readShopAmount(given, decimals);
  return result.ok ? result.value : undefined;
};

describe('an amount as shops write it', () => {
  test.each<[string | number, string | undefined]>([
    ['12.5', '12.5'],
    ['12.50', '12.5'],
    ['166.0000', '166'],
    ['007', '7'],
    ['0', '0'],
    ['5.', '5'],
    ['0.10000000000', '0.1'],
    ['0.000000001', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['1,5', undefined],
    ['', undefined],
    [' 1', undefined],
    [12.5, '12.5'],
    [1e-8, '0.00000001'],
    [1e-9, undefined],
    [0.1 + 0.2, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [1e300, undefined],
    [21_000_000, '21000000'],
  ])('%j is %j', (given, expected) => {
    expect(read(given)).toBe(expected);
  });

  test('is what it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (units) => {
        const back = parseAmount(read(formatAmount(units, 8))!, 8);
        expect(back).toEqual({ ok: true, value: units });
      }),
    );
  });

  test('has no decimals where its currency has none', () => {
    expect([read('1500.00', 0), read('1500.5', 0)]).toEqual(['1500', undefined]);
  });
});

describe('the money of an invoice', () => {
  const priced = {
    amount: '79600000',
    price_currency: 'EUR',
    price_amount: '19.90',
    price_rate: '25',
  };

  test('is the coin where no price was given', () => {
    const unpriced = { ...priced, price_currency: null, price_amount: null, price_rate: null };
    const money = describeMoney(unpriced, coin);
    expect(money).toMatchObject({ currency: 'TST', amount: '0.79600000', rate: '1' });
    expect(money.convert(1n)).toBe('0.00000001');
  });

  test('is that of the price, and never more than came', () => {
    const money = describeMoney(priced, coin);
    expect(money).toMatchObject({ currency: 'EUR', amount: '19.90', rate: '25' });
    expect([money.convert(79_600_000n), money.convert(79_599_999n), money.convert(0n)]).toEqual([
      '19.90',
      '19.89',
      '0.00',
    ]);
  });

  test('counts the decimals of the rate', () => {
    const money = describeMoney({ ...priced, price_rate: '0.00000123' }, coin);
    expect(money.convert(10n ** 16n)).toBe('123.00');
  });
});
