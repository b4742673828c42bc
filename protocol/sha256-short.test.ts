import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex } from './bytes.ts';
import { sha256 } from './hash.ts';
import { hashShortMessage, MAX_SHORT_MESSAGE_BYTES } from './sha256-short.ts';

function hashAt(bytes: Uint8Array, offset: number, length: number): string {
  const target = new Uint8Array(40);
  hashShortMessage(bytes, offset, length, target, 4);
  return bytesToHex(target.subarray(4, 36));
}

test('FIPS 180-4 example "abc", and the empty message', () => {
  const abc = new TextEncoder().encode('abc');
  expect(hashAt(abc, 0, 3)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hashAt(abc, 0, 0)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('every short length, at any offset, equals the general hash', () => {
  for (let length = 0; length <= MAX_SHORT_MESSAGE_BYTES; length++) {
    const message = fc.sample(fc.uint8Array({ minLength: length, maxLength: length }), 8);
    for (const [i, bytes] of message.entries()) {
      const padded = new Uint8Array(i + length + 3).fill(0xff);
      padded.set(bytes, i);
      expect(hashAt(padded, i, length)).toBe(bytesToHex(sha256(bytes)));
    }
  }
});
