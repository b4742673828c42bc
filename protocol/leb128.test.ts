import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, getHexBytes } from './bytes.ts';
import { encodeLeb128, MAX_LEB128, readLeb128 } from './leb128.ts';

describe('LEB128', () => {
  test.each([
    [0n, '00'],
    [1n, '01'],
    [127n, '7f'],
    [128n, '8001'],
    [300n, 'ac02'],
    [16383n, 'ff7f'],
    [16384n, '808001'],
    [2n ** 56n, '808080808080808001'],
    [MAX_LEB128, 'ffffffffffffffff7f'],
  ])('%d is %s', (value, hex) => {
    expect(bytesToHex(encodeLeb128(value))).toBe(hex);
    expect(readLeb128(getHexBytes(`ff${hex}00`), 1)).toEqual({ ok: true, value, next: 1 + hex.length / 2 });
  });

  test.each([
    ['nothing', '', 'truncated'],
    ['an end within', '80', 'truncated'],
    ['zero in two bytes', '8000', 'not_minimal'],
    ['127 in two bytes', 'ff00', 'not_minimal'],
    ['1 in nine bytes', '818080808080808000', 'not_minimal'],
    ['2^63', '80808080808080808001', 'too_large'],
    ['2^64 - 1', 'ffffffffffffffffff01', 'too_large'],
    ['zero in ten bytes', '80808080808080808000', 'too_large'],
  ])('%s is no integer', (_name, hex, fault) => {
    expect(readLeb128(getHexBytes(hex), 0)).toEqual({ ok: false, fault });
  });

  test('every integer has one form, and every form one integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_LEB128 }), (value) => {
        const bytes = encodeLeb128(value);
        expect(readLeb128(bytes, 0)).toEqual({ ok: true, value, next: bytes.length });
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const read = readLeb128(bytes, 0);
        if (read.ok) expect(encodeLeb128(read.value)).toEqual(bytes.slice(0, read.next));
      }),
    );
  });

  test('what does not fit is an error of the caller', () => {
    expect(() => encodeLeb128(-1)).toThrow(RangeError);
    expect(() => encodeLeb128(MAX_LEB128 + 1n)).toThrow(RangeError);
  });
});
