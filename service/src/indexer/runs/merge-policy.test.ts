import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseMerge, sizeClass } from './merge-policy.ts';

type TestRun = { firstHeight: number; lastHeight: number; txs: number; written: number };

const HORIZON_BLOCKS = 100;

/** Merges all that is to be merged. `written` counts how often the transactions of a run were written. */
function settle(runs: TestRun[], tipHeight: number): TestRun[] {
  let settled = runs;
  for (;;) {
    const window = chooseMerge({
      runs: settled,
      tipHeight,
      horizonBlocks: HORIZON_BLOCKS,
      isTaken: () => false,
    });
    if (!window) return settled;
    const sources = settled.slice(window.from, window.to + 1);
    const merged = {
      firstHeight: sources[0]!.firstHeight,
      lastHeight: sources.at(-1)!.lastHeight,
      txs: sources.reduce((sum, { txs }) => sum + txs, 0),
      written: Math.max(...sources.map(({ written }) => written)) + 1,
    };
    settled = [...settled.slice(0, window.from), merged, ...settled.slice(window.to + 1)];
  }
}

/** Adds runs one by one, as a chain grows. */
function grow(sizes: readonly number[], blocksEach: number, tipHeight: number | undefined): TestRun[] {
  let runs: TestRun[] = [];
  for (const [i, txs] of sizes.entries()) {
    const lastHeight = (i + 1) * blocksEach - 1;
    runs = settle(
      [...runs, { firstHeight: i * blocksEach, lastHeight, txs, written: 1 }],
      tipHeight ?? lastHeight,
    );
  }
  return runs;
}

test.each([40_000, 150_000, 200_000, 250_000, 280_000])(
  'in a first sync by %i transactions, ten million are written three times at most',
  (txs) => {
    const runs = grow(new Array(Math.ceil(10_000_000 / txs)).fill(txs), 100, 1_000_000_000);
    expect(Math.max(...runs.map(({ written }) => written))).toBeLessThanOrEqual(3);
  },
);

test('there are never more than eight deep runs of a size class in a row, whatever they begin as', () => {
  const anySize = fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 400_000 }));
  fc.assert(
    fc.property(fc.array(anySize, { maxLength: 300 }), (sizes) => {
      const runs = grow(sizes, 10, 1_000_000_000);
      const classes = runs.map(({ txs }) => sizeClass(txs));
      for (const level of new Set(classes)) {
        // Neighbours that are no larger.
        let inRow = 0;
        for (const each of classes) {
          inRow = each > level ? 0 : inRow + (each === level ? 1 : 0);
          expect(inRow).toBeLessThanOrEqual(8);
        }
      }
    }),
  );
});

test('at the tip of the chain blocks are merged although they are few, and no run is too long to be cut', () => {
  const runs = grow(new Array(400).fill(2_500), 1, undefined);
  const near = runs.filter(({ lastHeight }) => lastHeight > 399 - HORIZON_BLOCKS);
  expect(near.length).toBeLessThanOrEqual(45);
  for (const { firstHeight, lastHeight } of near)
    expect(lastHeight - firstHeight + 1).toBeLessThanOrEqual(Math.max(1, (399 - firstHeight) / 4));
});
