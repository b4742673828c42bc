import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUint48, UINT48_BYTES, writeUint48 } from './uint48.ts';
import { readBigVarint, readVarint, skipVarints, writeBigVarint, writeVarint } from './varint.ts';

const edges = [7, 14, 21, 28, 31, 32, 35, 48, 49, 53].flatMap((bits) => [2 ** bits - 1, 2 ** bits]);
const safe = fc.oneof(fc.maxSafeNat(), fc.nat(1_000), fc.constantFrom(...edges.slice(0, -1)));
const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n }),
  fc.constantFrom(2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, ...edges.map(BigInt)),
);

test('numbers and amounts come back as they were written, one after another, in the fewest bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(safe, amount)), (values) => {
      const writer = { bytes: new Uint8Array(1), at: 0 };
      for (const value of values) {
        const start = writer.at;
        if (typeof value === 'number') writeVarint(writer, value);
        else writeBigVarint(writer, value);
        expect(writer.at - start).toBe(Math.max(1, Math.ceil(BigInt(value).toString(2).length / 7)));
      }
      const reader = { bytes: writer.bytes, at: 0 };
      for (const value of values) {
        expect(typeof value === 'number' ? readVarint(reader) : readBigVarint(reader)).toBe(value);
      }
      expect(reader.at).toBe(writer.at);
    }),
  );
});

test('passing over numbers leads to the one behind them', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1 }), fc.nat(), (values, choice) => {
      const writer = { bytes: new Uint8Array(0), at: 0 };
      for (const value of values) writeBigVarint(writer, value);
      const skipped = choice % values.length;
      const reader = { bytes: writer.bytes, at: 0 };
      skipVarints(reader, skipped);
      expect(readBigVarint(reader)).toBe(values[skipped]);
    }),
  );
});

test('reading bytes that end within a number stops at their end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(60), (bytes, count) => {
      const reader = { bytes, at: 0 };
      skipVarints(reader, count);
      readBigVarint(reader);
      expect(reader.at).toBeLessThanOrEqual(bytes.length + count + 1);
    }),
  );
});

test('48 bits come back as they were written, beside others', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.integer({ min: 0, max: 2 ** 48 - 1 }),
          fc.constantFrom(2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 48 - 1),
        ),
      ),
      (values) => {
        const bytes = new Uint8Array(values.length * UINT48_BYTES);
        for (const [i, value] of values.entries()) writeUint48(bytes, i * UINT48_BYTES, value);
        expect(values.map((_, i) => readUint48(bytes, i * UINT48_BYTES))).toEqual(values);
      },
    ),
  );
});
