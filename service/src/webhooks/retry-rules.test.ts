import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeAnswer, readRetryAfter, retryPausesMs } from './retry-rules.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const answer = (status: number, retryAfter?: string) => ({ status, retryAfter });
/** How long after a failure the next try comes. */
const pauseAfter = (given: ReturnType<typeof answer> | undefined, tries: number, random = 0): number => {
  const verdict = judgeAnswer(given, tries, now, random);
  if (verdict.kind !== 'retry') throw new Error(verdict.kind);
  return verdict.atMs - now;
};

test('eleven tries: at once, 15 s, 1, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, then no more', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((tries) => pauseAfter(undefined, tries) / 1000);
  expect(pauses).toEqual([15, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect(judgeAnswer(undefined, 11, now, 0)).toEqual({ kind: 'dead' });
  // Tries that were begun and lost in a crash count, and may pass the end.
  expect(judgeAnswer(undefined, 12, now, 0)).toEqual({ kind: 'dead' });
});

test('jitter makes a pause longer by a tenth at most', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (tries, random) => {
        const pause = retryPausesMs[tries - 1]!;
        expect(pauseAfter(answer(500), tries, random)).toBeGreaterThanOrEqual(pause);
        expect(pauseAfter(answer(500), tries, random)).toBeLessThanOrEqual(Math.ceil(pause * 1.1));
      },
    ),
  );
});

test('only 2xx succeeds, and 410 ends the receiver', () => {
  for (let status = 100; status < 600; status += 1) {
    const expected = status >= 200 && status < 300 ? 'delivered' : status === 410 ? 'disabled' : 'retry';
    expect(judgeAnswer(answer(status), 1, now, 0).kind, String(status)).toBe(expected);
    expect(judgeAnswer(answer(status), 11, now, 0).kind, String(status)).toBe(
      expected === 'retry' ? 'dead' : expected,
    );
  }
});

describe('Retry-After', () => {
  test.each([
    [429, '60', 60_000],
    [503, '60', 60_000],
    [503, 'Sun, 01 Mar 2026 13:00:00 GMT', HOUR_MS],
    // Not below what is planned, not above a day.
    [503, '1', 15_000],
    [503, '0', 15_000],
    [503, '9999999999', 24 * HOUR_MS],
    [503, 'Fri, 01 Jan 2100 00:00:00 GMT', 24 * HOUR_MS],
    [503, 'Sat, 28 Feb 2026 12:00:00 GMT', 15_000],
    // Elsewhere it means nothing, and nor does what is neither seconds nor a date.
    [500, '60', 15_000],
    [404, '60', 15_000],
    [503, '-60', 15_000],
    [503, '1e9', 15_000],
    [503, '60 s', 15_000],
    [503, '', 15_000],
    [503, 'Sun, not a date', 15_000],
  ])('with %d "%s" the pause is %d ms', (status, value, pause) => {
    expect(pauseAfter(answer(status, value), 1)).toBe(pause);
  });

  test('of any text is a number of milliseconds', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readRetryAfter(text, now)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('cannot bring more tries', () => {
    expect(judgeAnswer(answer(503, '60'), 11, now, 0)).toEqual({ kind: 'dead' });
  });
});
