import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getHexBytes } from './bytes.ts';
import { MAX_TAG_LENGTH, readCoinbaseTag } from './coinbase-tag.ts';

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const script = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? ascii(part) : part)));

test('the text of a coinbase is found among heights, numbers and hashes', () => {
  // The first block of Bitcoin, whose text is pushed by one byte that is an E, too.
  const genesis = getHexBytes(
    '04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73',
  );
  expect(readCoinbaseTag(genesis)).toBe('The Times 03/Jan/2009 Chancellor on brink of second bailout');
  expect(readCoinbaseTag(script([3, 0x41, 0x42, 0x0c], '/Example Pool/', [0xfa, 0xbe], 'mm', [9]))).toBe(
    '/Example Pool/',
  );
  expect(readCoinbaseTag(script([0], '  spaced out ', [0]))).toBe('spaced out');
});

test('what is there by chance is no text', () => {
  for (const bytes of [[], [3, 1, 2, 3], [0x41, 0x42, 0x43], ascii('>>>>>>>>'), ascii('        ')])
    expect(readCoinbaseTag(Uint8Array.from(bytes))).toBe(undefined);
});

test('whatever a miner writes, the text is short, and has nothing but printable ASCII', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const tag = readCoinbaseTag(bytes) ?? 'none';
      expect(tag.length).toBeLessThanOrEqual(MAX_TAG_LENGTH);
      expect(tag).toMatch(/^[\x20-\x7e]+$/);
    }),
  );
});
