import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseRate, formatRate, invertRate, parseRate, type Reading } from './rate-rules.ts';

/** The text that a rate is written as again; the reason where it is refused. */
function read(text: string): string {
  const rate = parseRate(text);
  return rate.ok ? formatRate(rate.value) : rate.reason;
}

function rateOf(text: string) {
  const rate = parseRate(text);
  if (!rate.ok) throw new Error(rate.reason);
  return rate.value;
}

describe('a rate', () => {
  test.each([
    ['1', '1'],
    ['0.0123', '0.0123'],
    ['100.00', '100'],
    ['00.50', '0.5'],
    ['1e-7', '0.0000001'],
    ['1.25E+2', '125'],
    ['1500e-3', '1.5'],
    ['1.2345678901234567e-7', '0.00000012345678901234567'],
    [
      '999999999999999999.999999999999999999999999999999',
      '999999999999999999.999999999999999999999999999999',
    ],
    ['0.000000000000000000000000000001', '0.000000000000000000000000000001'],
    // Zeros at the end are no decimals.
    ['0.10000000000000000000000000000000000000', '0.1'],
  ])('%s is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    ['0', /zero/],
    ['0.000', /zero/],
    ['0e9', /zero/],
    ['-1', /not a positive decimal/],
    ['-0.5', /not a positive decimal/],
    ['+1', /not a positive decimal/],
    ['', /not a positive decimal/],
    [' 1', /not a positive decimal/],
    ['1\n', /not a positive decimal/],
    ['1,5', /not a positive decimal/],
    ['.5', /not a positive decimal/],
    ['5.', /not a positive decimal/],
    ['0x10', /not a positive decimal/],
    ['NaN', /not a positive decimal/],
    ['Infinity', /not a positive decimal/],
    ['1e999', /not a positive decimal/],
    ['1e18', /more than 18 whole digits/],
    ['1e-31', /more than 30 decimals/],
    ['9'.repeat(31), /not a positive decimal/],
    ['١', /not a positive decimal/],
  ])('%j is refused', (text, reason) => {
    expect(read(text)).toMatch(reason);
  });

  test('is written as text that is read as the same rate', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 48n - 1n }), (units) => {
        const rate = units * 100n;
        const text = formatRate(rate);
        expect(text).toMatch(/^[0-9]{1,18}(\.[0-9]{1,30})?$/);
        expect(rateOf(text)).toBe(rate);
      }),
    );
  });

  test('is turned around exactly, but for what 32 decimals cannot hold', () => {
    const inverse = (text: string) => {
      const rate = invertRate(rateOf(text));
      return rate.ok ? formatRate(rate.value) : rate.reason;
    };
    expect(inverse('80')).toBe('0.0125');
    expect(inverse('0.0125')).toBe('80');
    expect(inverse('3')).toBe(`0.${'3'.repeat(32)}`);
    expect(inverse('1e-18')).toMatch(/no usable inverse/);
  });
});

describe('the rate of several sources', () => {
  const NOW = 1_800_000_000_000;
  const limits = { maxAgeMs: 600_000, maxDeviationPercent: 20 };
  const reading = (source: string, rate: string, ageMs = 0): Reading => ({
    source,
    rate: rateOf(rate),
    atMs: NOW - ageMs,
  });
  const choose = (...readings: Reading[]) => {
    const { chosen, ...left } = chooseRate(readings, limits, NOW);
    return { rate: chosen && formatRate(chosen.rate), sources: chosen?.sources, ...left };
  };

  test('is the one in the middle, whatever their order', () => {
    const three = [reading('a', '1.02'), reading('b', '1'), reading('c', '1.01')];
    for (const order of [three, three.toReversed(), [three[1]!, three[2]!, three[0]!]])
      expect(choose(...order).rate).toBe('1.01');
  });

  test('is the exact mean of the two in the middle of four', () => {
    const [low, high] = ['1', '1.000000000000000000000000000001'];
    expect(choose(reading('a', low), reading('b', high), reading('c', low), reading('d', high)).rate).toBe(
      '1.0000000000000000000000000000005',
    );
  });

  test('is the lower of two that agree: the shop gets its price by both', () => {
    for (const two of [
      [reading('a', '1'), reading('b', '1.2')],
      [reading('b', '1.2'), reading('a', '1')],
    ])
      expect(choose(...two)).toMatchObject({
        rate: '1',
        sources: expect.arrayContaining(['a', 'b']),
        apart: [],
      });
  });

  test('of two is none when one is further from the lower than is allowed', () => {
    for (const lie of ['1.2000000001', '1.4', '1.5', '2', '0.8', '0.000000000000000001']) {
      expect(choose(reading('a', '1'), reading('liar', lie))).toMatchObject({
        rate: undefined,
        apart: ['a', 'liar'],
      });
    }
    // A third that is too old is no judge.
    expect(choose(reading('a', '1'), reading('liar', '1.5'), reading('old', '1', 600_001)).rate).toBe(
      undefined,
    );
  });

  test('leaves out one liar among three, however large the lie', () => {
    for (const lie of ['1.3', '0.7', '999999999999999999', '0.000000000000000001']) {
      expect(choose(reading('a', '1'), reading('b', '1.01'), reading('liar', lie))).toEqual({
        rate: '1.005',
        sources: ['a', 'b'],
        stale: [],
        early: [],
        apart: ['liar'],
      });
    }
  });

  test('takes what is away by just as much as is allowed', () => {
    expect(choose(reading('a', '1'), reading('b', '1'), reading('c', '1.2')).apart).toEqual([]);
    expect(choose(reading('a', '1'), reading('b', '1'), reading('c', '1.2000000001')).apart).toEqual(['c']);
  });

  test('is none where four contradict each other two by two', () => {
    const four = ['1', '1', '5', '5'].map((rate, i) => reading(`${i}`, rate));
    expect(choose(...four).rate).toBe(undefined);
  });

  test('is made of what is fresh alone, and is as old as the oldest in it', () => {
    const readings = [reading('old', '5', 600_001), reading('a', '1', 600_000), reading('b', '1', 5)];
    const { chosen, stale } = chooseRate(readings, limits, NOW);
    expect(chosen).toEqual({ rate: rateOf('1'), sources: ['a', 'b'], atMs: NOW - 600_000 });
    expect(stale).toEqual(['old']);
    expect(choose(reading('old', '5', 600_001)).rate).toBe(undefined);
    expect(choose().rate).toBe(undefined);
  });

  test('takes no time that has not come, but for clocks that are a little apart', () => {
    expect(choose(reading('a', '1', -60_000)).rate).toBe('1');
    expect(choose(reading('a', '1', -60_001))).toMatchObject({ rate: undefined, early: ['a'] });
  });
});
