import { FEE_BANDS, feeBandOf } from '@coinfront/protocol/mempool-blocks.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRect, layoutBlock, layoutTreemap, type Rect } from './treemap-layout.ts';

const box = { x: 10, y: 20, width: 900, height: 400 };
const sizes = fc.array(fc.integer({ min: 60, max: 100_000 }), { minLength: 1, maxLength: 200 });
const areaOf = ({ width, height }: Rect) => width * height;
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
/** Rounding moves a side by so much at most. */
const NEAR = 1e-6;

/** How far two rectangles lie on each other, the lesser way. */
function overlap(a: Rect, b: Rect): number {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.min(across, down);
}

/** The box is filled, each has its share of it, and none lies on another or outside. */
function expectPartition(areas: readonly number[], rects: readonly Rect[]): void {
  expect(rects).toHaveLength(areas.length);
  const scale = areaOf(box) / sum(areas);
  for (const [i, rect] of rects.entries()) {
    expect(areaOf(rect) / (areas[i]! * scale)).toBeCloseTo(1, 6);
    expect(Math.min(rect.x - box.x, rect.y - box.y)).toBeGreaterThan(-NEAR);
    expect(rect.x + rect.width).toBeLessThan(box.x + box.width + NEAR);
    expect(rect.y + rect.height).toBeLessThan(box.y + box.height + NEAR);
    for (const other of rects.slice(i + 1)) expect(overlap(rect, other)).toBeLessThan(NEAR);
  }
  expect(sum(rects.map(areaOf))).toBeCloseTo(areaOf(box), 3);
}

describe('a treemap', () => {
  test('of the paper that describes the method is the one that the paper shows', () => {
    const rects = layoutTreemap([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 });
    expect(rects.slice(0, 2)).toEqual([
      { x: 0, y: 0, width: 3, height: 2 },
      { x: 0, y: 2, width: 3, height: 2 },
    ]);
    expect(rects[2]!.width).toBeCloseTo(12 / 7);
    expect(rects[2]!.height).toBeCloseTo(7 / 3);
  });

  test('fills its box: each area has its share, and none lies on another or outside', () => {
    fc.assert(
      fc.property(sizes, (areas) => expectPartition(areas, layoutTreemap(areas, box))),
      { numRuns: 60 },
    );
  });

  test('of equal areas has squares, or nearly', () => {
    for (const { width, height } of layoutTreemap(Array<number>(500).fill(250), box))
      expect(Math.max(width, height) / Math.min(width, height)).toBeLessThan(2);
  });

  test('of nothing is nothing', () => {
    expect(layoutTreemap([], box)).toEqual([]);
    expect(layoutBlock([], box)).toEqual([]);
  });
});

describe('the transactions of a block', () => {
  const txs = fc.array(
    fc.record({
      vsize: fc.integer({ min: 60, max: 100_000 }),
      rate: fc.double({ min: 0, max: 300, noNaN: true }),
    }),
    { minLength: 1, maxLength: 150 },
  );

  test('fill the box by their sizes, and those of one fee band lie together', () => {
    fc.assert(
      fc.property(txs, (block) => {
        const rects = layoutBlock(block, box);
        expectPartition(
          block.map(({ vsize }) => vsize),
          rects,
        );
        for (const band of FEE_BANDS.keys()) {
          const own = rects.filter((_, i) => feeBandOf(block[i]!.rate) === band);
          if (own.length === 0) continue;
          const [left, top] = [Math.min(...own.map(({ x }) => x)), Math.min(...own.map(({ y }) => y))];
          const around =
            (Math.max(...own.map(({ x, width }) => x + width)) - left) *
            (Math.max(...own.map(({ y, height }) => y + height)) - top);
          expect(around / sum(own.map(areaOf))).toBeCloseTo(1, 6);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('are found by a point in them, and nothing is found beside them', () => {
    const rects = layoutBlock(
      Array.from({ length: 300 }, (_, i) => ({ vsize: 100 + i * 7, rate: i })),
      box,
    );
    for (const [i, { x, y, width, height }] of rects.entries())
      expect(findRect(rects, x + width / 2, y + height / 2)).toBe(i);
    expect(findRect(rects, box.x - 1, box.y)).toBe(-1);
  });
});
