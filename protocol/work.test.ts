import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bitsToTarget, difficultyOfBits, medianTime, workOfBits } from './work.ts';

describe('work', () => {
  // Core's arith_uint256 tests of SetCompact.
  test.each([
    [0x01123456, 0x12n],
    [0x02123456, 0x1234n],
    [0x03123456, 0x123456n],
    [0x04123456, 0x12345600n],
    [0x05009234, 0x92340000n],
    [0x20123456, 0x123456n << 232n],
    [0x1d00ffff, 0xffffn << 208n],
  ])('bits %i have the target %s', (bits, target) => {
    expect(bitsToTarget(bits)).toBe(target);
  });

  test.each([
    0, 0x00123456, 0x01003456, 0x01fedcba, 0x04923456, 0x00923456, 0xff123456, 0x22000100, 0x23000001,
  ])('bits %i are zero, negative or overflowing: no target, no work', (bits) => {
    expect(bitsToTarget(bits)).toBeUndefined();
    expect(workOfBits(bits)).toBe(0n);
  });

  test('work and difficulty of known blocks', () => {
    expect(workOfBits(0x1d00ffff)).toBe(0x100010001n);
    expect(workOfBits(0x207fffff)).toBe(2n);
    expect(difficultyOfBits(0x1d00ffff)).toBe(1);
    expect(difficultyOfBits(0x207fffff)).toBe(4.656542373906925e-10);
    expect(difficultyOfBits(0x1b0404cb)).toBe(16307.42093852398);
    expect(difficultyOfBits(0x1702068f)).toBe(138955357012247.3);
  });

  test('work is 2^256 divided by one more than the target', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (bits) => {
        const target = bitsToTarget(bits);
        expect(workOfBits(bits)).toBe(target === undefined ? 0n : (1n << 256n) / (target + 1n));
      }),
    );
  });

  test('median time is the middle of the sorted times, the upper one of an even number', () => {
    expect(medianTime([5, 1, 9, 3, 7])).toBe(5);
    expect(medianTime([4, 1])).toBe(4);
    expect(medianTime([8])).toBe(8);
    expect(() => medianTime([])).toThrow(RangeError);
  });
});
