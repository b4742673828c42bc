import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projectBlocks } from './project-blocks.ts';

const step = (per_vb: number, vsize: number, tx_count: number) => ({
  per_vb: per_vb.toFixed(3),
  vsize,
  tx_count,
});

describe('blocks to come', () => {
  test('are filled from what pays most, and a step that does not fit goes on in the next', () => {
    expect(projectBlocks([step(50, 600_000, 600), step(10, 800_000, 80), step(1, 50_000, 5)], 4)).toEqual([
      { vsize: 1_000_000, txCount: 640, highest: 50, lowest: 10, blocks: 1 },
      { vsize: 450_000, txCount: 45, highest: 10, lowest: 1, blocks: 1 },
    ]);
  });

  test('of a long mempool end with one that stands for all the rest', () => {
    expect(projectBlocks([step(3, 5_500_000, 55)], 3)).toEqual([
      { vsize: 1_000_000, txCount: 10, highest: 3, lowest: 3, blocks: 1 },
      { vsize: 1_000_000, txCount: 10, highest: 3, lowest: 3, blocks: 1 },
      { vsize: 3_500_000, txCount: 35, highest: 3, lowest: 3, blocks: 4 },
    ]);
  });

  test('hold all that waits, whatever waits, and none more than it may', () => {
    const histogram = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 3_000_000 }), fc.integer({ min: 1, max: 9_000 })))
      .map((steps) => steps.map(([vsize, count], i) => step(steps.length - i, vsize, count)));
    fc.assert(
      fc.property(histogram, fc.integer({ min: 1, max: 8 }), (steps, most) => {
        const blocks = projectBlocks(steps, most);
        expect(blocks.length).toBeLessThanOrEqual(most);
        const sum = (sizes: readonly { vsize: number }[]) => sizes.reduce((all, { vsize }) => all + vsize, 0);
        expect(sum(blocks)).toBe(sum(steps));
        for (const { vsize } of blocks.slice(0, -1)) expect(vsize).toBe(1_000_000);
        for (const [i, { lowest }] of blocks.entries())
          expect(blocks[i + 1]?.highest ?? 0).toBeLessThanOrEqual(lowest);
      }),
    );
  });
});
