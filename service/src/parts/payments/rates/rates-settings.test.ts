import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createAllowList } from '../../../outbound/allow-list.ts';
import { parseRateFile } from './file-source.ts';
import { formatRate } from './rate-rules.ts';
import { parseRateSettings } from './rates-settings.ts';
import { pauseAfter, startUrlSource } from './url-source.ts';

const nothing = createAllowList([]);
const url = { name: 'a', url: 'https://exchange.example/t?key=secret', currency: 'EUR', path: 'p' };

test('the list of sources has defaults', () => {
  const text = JSON.stringify({ sources: [url, { name: 'house', file: '/etc/rates.json' }] });
  expect(parseRateSettings(text, nothing)).toEqual({
    maxAgeMs: 600_000,
    maxDeviationPercent: 20,
    sources: [
      { ...url, every: 60, invert: false },
      { name: 'house', file: '/etc/rates.json' },
    ],
  });
});

test('the list of sources has limits', () => {
  const text = JSON.stringify({ max_age: 60, max_deviation_percent: 5, max_change_percent: 10, sources: [] });
  const limits = { maxAgeMs: 60_000, maxDeviationPercent: 5, maxChangePercent: 10 };
  expect(parseRateSettings(text, nothing)).toEqual({ ...limits, sources: [] });
});

test.each([
  ['no JSON', '{"sources":[', /not JSON/],
  ['no sources', '{}', /sources/],
  ['an unknown field', { sources: [], maxage: 1 }, /"maxage" is not a known field/],
  ['a maximum age of zero', { sources: [], max_age: 0 }, /"max_age" must be/],
  ['a change of 0 %', { sources: [], max_change_percent: 0 }, /"max_change_percent" must be/],
  ['a source that is neither', { sources: [{ name: 'a' }] }, /sources\[0\]/],
  ['a source that is both', { sources: [{ ...url, file: 'x' }] }, /sources\[0\]/],
  [
    'an unknown field of a source',
    { sources: [{ ...url, evry: 5 }] },
    /"sources\[0\].evry" is not a known field/,
  ],
  ['a name with a space', { sources: [{ ...url, name: 'a b' }] }, /"sources\[0\].name" must be/],
  ['a name twice', { sources: [url, { name: 'a', file: 'x' }] }, /"a" is there twice/],
  ['no currency', { sources: [{ ...url, currency: 'eur' }] }, /\.currency"/],
  ['gold', { sources: [{ ...url, currency: 'XAU' }] }, /\.currency"/],
  ['a path with a gap', { sources: [{ ...url, path: 'a..b' }] }, /\.path"/],
  ['plain http', { sources: [{ ...url, url: 'http://exchange.example/' }] }, /\.url" is not encrypted/],
  ['an address inside', { sources: [{ ...url, url: 'https://10.0.0.1/' }] }, /\.url" .*public internet/],
  ['a file URL', { sources: [{ ...url, url: 'file:///etc/passwd' }] }, /\.url" is not an absolute/],
  ['a password', { sources: [{ ...url, url: 'https://u:secret@a.example/' }] }, /\.url" must not hold/],
  ['33 sources', { sources: Array.from({ length: 33 }, (_, i) => ({ ...url, name: `a${i}` })) }, /sources/],
])('with %s it is refused, and the URL is not repeated', (_, content, reason) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const read = () => parseRateSettings(text, nothing);
  expect(read).toThrow(reason);
  expect(read).not.toThrow(/secret/);
});

describe('a file of rates', () => {
  test('has strings and numbers, and one time for all', () => {
    const read = parseRateFile('{"EUR":"0.0123","JPY":1e-7,"at":"2026-03-01T12:00:00Z"}', 5);
    expect([...read].map(([currency, { rate, atMs }]) => [currency, formatRate(rate), atMs])).toEqual([
      ['EUR', '0.0123', 1_772_366_400_000],
      ['JPY', '0.0000001', 1_772_366_400_000],
    ]);
    expect(parseRateFile('{"EUR":1}', 5).get('EUR')?.atMs).toBe(5);
    expect(parseRateFile('{}', 5).size).toBe(0);
  });

  test.each([
    ['["EUR"]', /not a JSON object/],
    ['null', /not a JSON object/],
    ['{"EUR":1', /not a JSON object/],
    ['{"eur":1}', /"eur" is not a code/],
    ['{"EUR":-1}', /EUR: .*not a positive decimal/],
    ['{"EUR":0}', /EUR: it is zero/],
    ['{"EUR":null}', /EUR: it is not a number/],
    ['{"EUR":{}}', /EUR: it is not a number/],
    ['{"EUR":"0,5"}', /EUR: .*not a positive decimal/],
    ['{"EUR":1,"at":1772366400}', /"at" is not a time/],
    ['{"EUR":1,"at":"2026-03-01"}', /"at" is not a time/],
    ['{"EUR":1,"at":"2026-13-01T12:00:00Z"}', /"at" is not a time/],
    ['{"EUR":1,"at":"2026-03-01T12:00:00+02:00"}', /"at" is not a time/],
  ])('%s is refused', (text, reason) => {
    expect(() => parseRateFile(text, 5)).toThrow(reason);
  });
});

test('a source that fails is asked ever more rarely, up to five minutes or its own pause', () => {
  const pauses = (everyMs: number, random: number) =>
    [0, 1, 2, 3, 30].map((failed) => Math.round(pauseAfter(failed, everyMs, random)));
  expect(pauses(60_000, 0.5)).toEqual([60_000, 120_000, 240_000, 300_000, 300_000]);
  expect(pauses(60_000, 0)).toEqual([54_000, 108_000, 216_000, 270_000, 270_000]);
  expect(pauses(3_600_000, 0.5)).toEqual(new Array(5).fill(3_600_000));
});

test('a source is asked for one thing at a time', async () => {
  const enough = Promise.withResolvers<void>();
  let [underWay, most, asked] = [0, 0, 0];
  const source = startUrlSource(
    { ...url, every: 0.001, invert: false },
    {
      async fetchText() {
        most = Math.max(most, ++underWay);
        if (++asked === 5) enough.resolve();
        await setImmediate();
        underWay -= 1;
        return '{"p":1}';
      },
      now: () => 0,
      random: () => 0,
    },
  );
  await enough.promise;
  await source.stop();
  expect(most).toBe(1);
});
