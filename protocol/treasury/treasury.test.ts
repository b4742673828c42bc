import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, getHexBytes } from '../bytes.ts';
import { buildCarrier } from '../carrier.ts';
import {
  contributionPayload,
  contributionScript,
  findContributionTag,
  TAG_BYTES,
} from './contribution-tag.ts';
import { countSuffixes, isExactAmountOf } from './exact-amount.ts';

const MARKER = getHexBytes('56545231');
const TAG = getHexBytes('0123456789abcdef0123456789abcdef');
const carrier = (script: Uint8Array, value = 0n) => ({ value, script });

describe('the tag of a contribution', () => {
  test('has exactly one script', () => {
    expect(bytesToHex(contributionScript(TAG, MARKER))).toBe(`6a14565452310123456789abcdef0123456789abcdef`);
    expect(() => contributionPayload(TAG.subarray(1), MARKER)).toThrow(RangeError);
  });

  test('is found wherever it stands, once', () => {
    const other = carrier(getHexBytes('51'), 1n);
    const tagged = carrier(contributionScript(TAG, MARKER), 5n);
    expect(findContributionTag([other, tagged], MARKER)).toEqual({
      kind: 'one',
      vout: 1,
      tag: bytesToHex(TAG),
    });
    expect(findContributionTag([other], MARKER)).toEqual({ kind: 'none' });
    expect(findContributionTag([tagged, tagged], MARKER)).toEqual({ kind: 'several' });
  });

  test.each([TAG_BYTES - 1, TAG_BYTES + 1, 0])('of %i bytes is none', (length) => {
    const script = buildCarrier(concatBytes(MARKER, new Uint8Array(length).fill(7)));
    expect(findContributionTag([carrier(script)], MARKER)).toEqual({ kind: 'malformed' });
  });

  test('is never read from bytes that would not be written so', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (tail) => {
        const found = findContributionTag([carrier(concatBytes(getHexBytes('6a1456545231'), tail))], MARKER);
        expect(found.kind === 'one').toBe(tail.length === TAG_BYTES);
      }),
    );
  });
});

describe('exact amounts', () => {
  test.each([
    [8, 9_999],
    [18, 9_999],
    [6, 999],
    [2, 9],
    [1, 0],
    [0, 0],
  ])('a coin of %i decimals has %i suffixes', (decimals, count) =>
    expect(countSuffixes(decimals)).toBe(count),
  );

  test('lie above what was asked for, by a suffix', () => {
    expect(isExactAmountOf(100n, 100n, 8)).toBe(false);
    expect(isExactAmountOf(101n, 100n, 8)).toBe(true);
    expect(isExactAmountOf(10_099n, 100n, 8)).toBe(true);
    expect(isExactAmountOf(10_100n, 100n, 8)).toBe(false);
  });
});
