import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex } from './bytes.ts';
import { createPlainStream, createSha256Stream } from './sha256-stream.ts';

const expectedOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const filled = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 0xff);

test('this engine has what the fast one needs', () => {
  expect(createSha256Stream().isFast).toBe(true);
  expect(createPlainStream().isFast).toBe(false);
});

describe.each([
  ['fast', createSha256Stream],
  ['plain', createPlainStream],
])('the %s stream', (_, create) => {
  const hash = (...pieces: Uint8Array[]): string => {
    const stream = create();
    for (const piece of pieces) stream.update(piece);
    return bytesToHex(stream.digest());
  };

  test('gives the examples of FIPS 180-4, and the hash of nothing', () => {
    const text = (each: string) => new TextEncoder().encode(each);
    expect(hash()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(hash(text('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hash(text('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'))).toBe(
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    );
    const million = new Uint8Array(1_000_000).fill(0x61);
    expect(hash(million)).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
  });

  test('agrees with Node at every length up to some blocks, and around what it hashes at once', () => {
    const lengths = [
      ...Array.from({ length: 600 }, (_, i) => i),
      ...[32_768, 65_536].flatMap((at) => Array.from({ length: 140 }, (_, i) => at - 70 + i)),
    ];
    for (const length of lengths) {
      const bytes = filled(length);
      expect([length, hash(bytes)]).toEqual([length, expectedOf(bytes)]);
    }
  });

  test('gives the same however the message is cut, while another one is hashed in between', () => {
    const whole = filled(100_000);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 8 }), (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), whole.length];
        const stream = create();
        const other = create();
        let at = 0;
        for (const end of ends) {
          stream.update(whole.subarray(at, end));
          other.update(whole.subarray(0, end));
          at = end;
        }
        other.digest();
        expect(bytesToHex(stream.digest())).toBe(expectedOf(whole));
      }),
      { numRuns: 60 },
    );
  });
});
