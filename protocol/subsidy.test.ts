import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxSupply, nextSubsidyChange, subsidyAt } from './subsidy.ts';
import { bitcoin, dogecoin, litecoin, regtest } from './testing/profiles.ts';

const COIN = 100_000_000n;

describe('subsidy', () => {
  test.each([
    [regtest, 0, 50n * COIN],
    [regtest, 149, 50n * COIN],
    [regtest, 150, 25n * COIN],
    [bitcoin, 840_000, (50n * COIN) >> 4n],
    [bitcoin, 210_000 * 33, 0n],
    [bitcoin, 210_000 * 64, 0n],
    [litecoin, 2_265_985, (50n * COIN) >> 2n],
    [dogecoin, 371_337, 62_500n * COIN],
    [dogecoin, 5_000_000, 10_000n * COIN],
    [dogecoin, 144_999, undefined],
  ])('at its height', (profile, height, subsidy) => {
    expect(subsidyAt(height, profile)).toBe(subsidy);
  });

  test('the next change is the first height with another subsidy', () => {
    expect(nextSubsidyChange(0, regtest)).toEqual({ height: 150, subsidy: 25n * COIN });
    expect(nextSubsidyChange(149, regtest)).toEqual({ height: 150, subsidy: 25n * COIN });
    expect(nextSubsidyChange(150, regtest)?.height).toBe(300);
    expect(nextSubsidyChange(210_000 * 33, bitcoin)).toBeUndefined();
    expect(nextSubsidyChange(10, dogecoin)).toEqual({ height: 145_000, subsidy: 250_000n * COIN });
    expect(nextSubsidyChange(600_000, dogecoin)).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(8_000_000), fc.constantFrom(bitcoin, litecoin, dogecoin), (height, profile) => {
        const change = nextSubsidyChange(height, profile);
        const current = subsidyAt(height, profile);
        if (!change) return;
        expect(change.height).toBeGreaterThan(height);
        expect(subsidyAt(change.height - 1, profile)).toBe(current);
        expect(change.subsidy).not.toBe(current);
        expect(subsidyAt(change.height, profile)).toBe(change.subsidy);
      }),
    );
  });

  test('the greatest supply is the sum over all heights, and undefined where there is no end', () => {
    let sum = 0n;
    for (let height = 0; height < 150 * 64; height++) sum += subsidyAt(height, regtest)!;
    expect(maxSupply(regtest)).toBe(sum);
    expect(maxSupply(bitcoin)).toBe(20_999_999_97690000n);
    expect(maxSupply(dogecoin)).toBeUndefined();
    const steps = [
      { fromHeight: 0, subsidy: 5n },
      { fromHeight: 10, subsidy: 2n },
      { fromHeight: 15, subsidy: 0n },
    ];
    expect(maxSupply({ subsidy: { kind: 'table', steps } })).toBe(60n);
    expect(maxSupply({ subsidy: { kind: 'table', steps: steps.slice(0, 2) } })).toBeUndefined();
  });
});
