import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bytesToHex,
  compareBytes,
  concatBytes,
  equalBytes,
  parseDisplayHash,
  parseHex,
  startsWithBytes,
  toDisplayHash,
} from './bytes.ts';

/** Short ones and long ones are read in two ways. */
const bytes = fc.uint8Array({ maxLength: 300, size: 'max' });

describe('bytes', () => {
  test('hex and display hashes are read back to the same bytes', () => {
    fc.assert(
      fc.property(bytes, fc.uint8Array({ minLength: 32, maxLength: 32 }), (any, hash) => {
        expect(parseHex(bytesToHex(any))).toEqual({ ok: true, value: any });
        expect(parseHex(bytesToHex(any).toUpperCase())).toEqual({ ok: true, value: any });
        expect(parseDisplayHash(toDisplayHash(hash))).toEqual({ ok: true, value: hash });
      }),
    );
  });

  test('a display hash is the reverse of the bytes', () => {
    expect(toDisplayHash(Uint8Array.of(1, 2, 255))).toBe('ff0201');
  });

  test.each(['0', '0g', '0x00', ' 00', '00\n', 'é0', '٠٠'])('refuses %j as hex', (text) => {
    expect(parseHex(text).ok).toBe(false);
    expect(parseHex('00'.repeat(400) + text).ok).toBe(false);
    expect(parseHex(text + '00'.repeat(400)).ok).toBe(false);
  });

  test('a display hash has 64 digits', () => {
    expect(parseDisplayHash('00'.repeat(31)).ok).toBe(false);
    expect(parseDisplayHash('00'.repeat(33)).ok).toBe(false);
    expect(parseDisplayHash('zz'.repeat(32)).ok).toBe(false);
  });

  test('bytes are ordered as their hex is', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const [hexA, hexB] = [bytesToHex(a), bytesToHex(b)];
        expect(Math.sign(compareBytes(a, b))).toBe(hexA < hexB ? -1 : hexA > hexB ? 1 : 0);
        expect(equalBytes(a, b)).toBe(hexA === hexB);
        expect(startsWithBytes(concatBytes(a, b), a)).toBe(true);
      }),
    );
  });
});
