import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BLOCK_VSIZE, blockBehind, cutIntoBlocks, feeBandOf } from './mempool-blocks.ts';

test('fee rates are in the band whose lower bound they reach', () => {
  expect([0, 1, 2, 3.9, 4, 14.999, 15, 50, 125, 2_000].map(feeBandOf)).toEqual([
    0, 0, 1, 1, 2, 3, 4, 5, 7, 7,
  ]);
});

test('transactions come into the blocks that their steps are cut into, but for those that lie across a border', () => {
  const sizes = fc.array(fc.array(fc.integer({ min: 60, max: 100_000 }), { minLength: 1, maxLength: 40 }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(sizes, (steps) => {
      const sums = steps.map((txs) => ({
        vsize: txs.reduce((sum, vsize) => sum + vsize, 0),
        txs: txs.length,
      }));
      const cut = cutIntoBlocks(sums, Number.MAX_SAFE_INTEGER);
      const blocks = cut.map(() => 0);
      let above = 0;
      for (const vsize of steps.flat()) {
        blocks[blockBehind(above) - 1]! += vsize;
        above += vsize;
      }
      let spill = 0;
      for (const [i, vsize] of blocks.entries()) {
        const of = cut[i]!.reduce((sum, step) => sum + step.vsize, 0);
        expect(spill + vsize).toBeGreaterThanOrEqual(of);
        spill += vsize - of;
        expect(spill).toBeLessThan(100_000);
      }
      expect(spill).toBe(0);
      expect(blockBehind(BLOCK_VSIZE - 1)).toBe(1);
      expect(blockBehind(BLOCK_VSIZE)).toBe(2);
    }),
  );
});
