import { expect, test } from 'vitest';
import { dayOf, splitByDay, writeDay } from './day-rules.ts';

const SLOT_MS = 600_000;
const midnight = Date.parse('2026-11-21T00:00:00Z');

test('slots belong to the day that they begin on', () => {
  const day = dayOf(midnight);
  const span = { fromMs: midnight - 2 * SLOT_MS, toMs: midnight + 3 * SLOT_MS };
  expect(splitByDay(span, SLOT_MS)).toEqual(
    new Map([
      [day - 1, 2],
      [day, 3],
    ]),
  );
  expect([writeDay(day - 1), writeDay(day)]).toEqual(['2026-11-20', '2026-11-21']);
});

test('a slot longer than a day is one slot', () => {
  const fromMs = midnight - SLOT_MS;
  expect(splitByDay({ fromMs, toMs: fromMs + 2 * 86_400_000 }, 2 * 86_400_000)).toEqual(
    new Map([[dayOf(fromMs), 1]]),
  );
});
