import { afterEach, expect, test, vi } from 'vitest';
import { german } from '../language/german/german.ts';
import { speak } from '../language/messages.ts';
import { formatTick } from './time-tick.ts';

const DAY_S = 86_400;
const at = Date.parse('2026-11-20T12:30:00Z') / 1_000;
const steps = [3_600, DAY_S, 30 * DAY_S, 366 * DAY_S];

afterEach(() => {
  speak();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test.each([
  ['en-GB', ['12:30', '20 Nov', 'Nov 2026', '2026']],
  ['en-US', ['12:30 PM', 'Nov 20', 'Nov 2026', '2026']],
])(
  'in %s axes of time name times, days, months and years, and no number stands for a month',
  (region, said) => {
    vi.stubGlobal('navigator', { languages: [region] });
    expect(steps.map((step) => formatTick(at, step, 'utc').replaceAll('\u202f', ' '))).toEqual(said);
  },
);

test('in German, too', () => {
  speak(german);
  expect(steps.map((step) => formatTick(at, step, 'utc'))).toEqual([
    '12:30',
    '20. Nov.',
    'Nov. 2026',
    '2026',
  ]);
});

test('ticks that are seconds apart say the seconds', () => {
  speak(german);
  expect([at, at + 15, at + 30].map((tick) => formatTick(tick, 15, 'utc'))).toEqual([
    '12:30:00',
    '12:30:15',
    '12:30:30',
  ]);
});

test('midnight of the clock that was chosen says the day that begins', () => {
  speak(german);
  vi.stubEnv('TZ', 'America/New_York');
  const midnight = Date.parse('2026-11-20T00:00:00Z') / 1_000;
  expect(formatTick(midnight, 3_600, 'utc')).toBe('20. Nov.');
  expect(formatTick(midnight, 3_600, 'local')).toBe('19:00');
  expect(formatTick(midnight + 5 * 3_600, 3_600, 'local')).toBe('20. Nov.');
  expect(formatTick(midnight + 5 * 3_600, 3_600, 'utc')).toBe('05:00');
});
