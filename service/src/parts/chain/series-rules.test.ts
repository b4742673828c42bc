import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planSeries } from './series-rules.ts';

const spans = fc
  .tuple(fc.nat(5_000_000), fc.nat(5_000_000), fc.integer({ min: 1, max: 500 }))
  .map(([a, b, points]) => ({ from: Math.min(a, b), to: Math.max(a, b), points }));

describe('the blocks of points', () => {
  test('are all of the span, each once, in at most so many points', () => {
    fc.assert(
      fc.property(spans, ({ from, to, points }) => {
        const plan = planSeries(from, to, points);
        expect(plan.ends.length).toBeLessThanOrEqual(points);
        expect(plan.from).toBeLessThanOrEqual(from);
        expect(from - plan.from).toBeLessThan(plan.blocksPerPoint);
        expect(plan.ends.at(-1)).toBe(to);
        [plan.from - 1, ...plan.ends].reduce((before, end) => {
          expect(end).toBeGreaterThan(before);
          expect(end - before).toBeLessThanOrEqual(plan.blocksPerPoint);
          return end;
        });
      }),
    );
  });

  test('are the same in every span that divides alike', () => {
    fc.assert(
      fc.property(spans, ({ from, to, points }) => {
        const { blocksPerPoint, ends } = planSeries(from, to, points);
        for (const end of ends.slice(0, -1)) expect((end + 1) % blocksPerPoint).toBe(0);
      }),
    );
  });

  test('are no more than a third of what they might be when points are few', () => {
    fc.assert(
      fc.property(spans, ({ from, to, points }) => {
        const { blocksPerPoint, ends } = planSeries(from, to, points);
        // The next smaller step is 2.5 times finer at most, and would have been too many.
        if (blocksPerPoint > 1) expect(ends.length * 2.5 + 2).toBeGreaterThan(points);
      }),
    );
  });

  test.each([
    [0, 0, 300, 1, 1],
    [0, 299, 300, 1, 300],
    [0, 300, 300, 2, 151],
    [100, 899_999, 300, 5_000, 180],
    [12, 13, 1, 2, 1],
  ])('from %d to %d in %d points: %d a point, %d points', (from, to, points, blocksPerPoint, count) => {
    const plan = planSeries(from, to, points);
    expect([plan.blocksPerPoint, plan.ends.length]).toEqual([blocksPerPoint, count]);
  });
});
