import { expect, test } from 'vitest';
import { estimateHashrates } from './hashrate-series.ts';
import { formatBytes, formatDifficulty, formatHashrate, formatShare } from './number.ts';
import { shortenMiddle } from './shorten.ts';
import { formatAgo, formatDate, formatDuration, formatExact } from './time.ts';

test('what is long is cut in the middle, by characters and not by halves of them', () => {
  expect(shortenMiddle('a'.repeat(64), 4)).toBe('aaaa…aaaa');
  expect(shortenMiddle('short', 4)).toBe('short');
  expect(shortenMiddle('😀'.repeat(20), 2)).toBe('😀😀…😀😀');
});

test('large numbers are told by their power, small ones as they are', () => {
  expect([0, 12, 999, 1_000, 999_499, 999_500, 1.5e12].map(formatBytes)).toEqual([
    '0 B',
    '12 B',
    '999 B',
    '1.00 kB',
    '999 kB',
    '1.00 MB',
    '1.50 TB',
  ]);
  expect(formatHashrate(6.5e20)).toBe('650 EH/s');
  expect(formatHashrate(Number.NaN)).toBe('–');
  expect([4.656542e-10, 1234.567, 8.1e13].map(formatDifficulty)).toEqual(['4.66e-10', '1,234.57', '81.0 T']);
  expect([0, 0.5, 0.99999, 1].map(formatShare)).toEqual(['0 %', '50.00 %', '100 %', '100 %']);
});

test('moments are told by how long they are ago or ahead', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  expect(
    ['2026-11-20T11:59:59Z', '2026-11-20T11:59:00Z', '2026-11-20T09:00:00Z', '2026-11-20T12:10:00Z'].map(
      (at) => formatAgo(at, now),
    ),
  ).toEqual(['now', '60 s ago', '3 h ago', 'in 10 min']);
  expect([30, 600, 86_400 * 3, 86_400 * 400, 86_400 * 800].map(formatDuration)).toEqual([
    '30 s',
    '10 min',
    '3 days',
    '13 months',
    '2.2 years',
  ]);
});

test('dates in UTC are written alike everywhere, and what is no moment as it is', () => {
  const at = '2026-11-20T11:59:58.123Z';
  expect(formatExact(at, 'utc')).toBe('2026-11-20 11:59:58 UTC');
  expect(formatDate(at, 'utc')).toBe('2026-11-20 11:59');
  expect(formatDate(at, 'local')).toContain('2026');
  expect(formatExact('never', 'local')).toBe('never');
});

test('the hashrate is the work of the window by its time, and unknown where time stood still', () => {
  const at = (height: number, second: number) => ({
    height,
    time: new Date(second * 1000).toISOString(),
    difficulty: 1,
  });
  const { heights, values } = estimateHashrates([at(3, 600), at(1, 0), at(2, 600), at(0, 0)], 2);
  expect(heights).toEqual([2, 3]);
  expect(values).toEqual([(2 * 2 ** 32) / 600, (2 * 2 ** 32) / 600]);
  expect(estimateHashrates([at(0, 5), at(1, 5)], 1).values).toEqual([]);
});
