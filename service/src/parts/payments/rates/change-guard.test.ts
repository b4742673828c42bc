import { describe, expect, test } from 'vitest';
import { createChangeGuard } from './change-guard.ts';

const MAX_AGE = 600_000;
const limits = { maxAgeMs: MAX_AGE, maxChangePercent: 10 };

/** Asks of each rate, at its second, whether it may be used. */
function admitAll(steps: readonly (readonly [second: number, rate: bigint])[], used = limits): boolean[] {
  const guard = createChangeGuard();
  return steps.map(([second, rate]) => guard.admits('EUR', rate, used, second * 1_000));
}

describe('a rate that changes at once', () => {
  test.each([
    ['up by as much as is allowed', 1_100n, true],
    ['up by more', 1_101n, false],
    ['down by as much, of the lower of the two', 910n, true],
    ['down by more', 909n, false],
  ])('%s', (_, rate, isUsed) => {
    expect(
      admitAll([
        [0, 1_000n],
        [1, rate],
      ]),
    ).toEqual([true, isUsed]);
  });

  test('is used when the one before was not used for the maximum age', () => {
    expect(
      admitAll([
        [0, 1_000n],
        [1, 2_000n],
        [599, 2_000n],
        [600, 2_000n],
        [601, 2_000n],
        [602, 1_000n],
      ]),
    ).toEqual([true, false, false, true, true, false]);
  });

  test('waits anew when the former came back meanwhile', () => {
    expect(
      admitAll([
        [0, 1_000n],
        [1, 2_000n],
        [599, 1_000n],
        [601, 2_000n],
      ]),
    ).toEqual([true, false, true, false]);
  });

  test('does not get further in small steps', () => {
    expect(
      admitAll([
        [0, 1_000n],
        [1, 1_090n],
        [2, 1_100n],
        [3, 1_180n],
        // From here on what was used last is what is compared with.
        [601, 1_100n],
        [602, 1_200n],
        [603, 1_300n],
      ]),
    ).toEqual([true, true, true, false, true, true, false]);
  });

  test('is of its currency alone, and waits for no clock that was set back', () => {
    const guard = createChangeGuard();
    expect(guard.admits('EUR', 1_000n, limits, 10_000)).toBe(true);
    expect(guard.admits('JPY', 9_000n, limits, 10_000)).toBe(true);
    expect(guard.admits('EUR', 9_000n, limits, 9_000)).toBe(true);
  });

  test('is used where no limit is set', () => {
    const steps = [
      [0, 1_000n],
      [1, 9_000n],
    ] as const;
    const guard = createChangeGuard();
    expect(
      steps.map(([at, rate]) =>
        guard.admits('EUR', rate, { maxAgeMs: MAX_AGE, maxChangePercent: undefined }, at),
      ),
    ).toEqual([true, true]);
  });
});
