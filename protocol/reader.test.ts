import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getHexBytes } from './bytes.ts';
import { createReader } from './reader.ts';
import { compactSizeBytes, createWriter } from './writer.ts';

describe('reader and writer', () => {
  test('what is written is read back, and nothing is left', () => {
    const u32 = fc.integer({ min: 0, max: 0xffffffff });
    const record = fc.record({
      u8: fc.integer({ min: 0, max: 255 }),
      u16: fc.integer({ min: 0, max: 0xffff }),
      u32,
      i32: fc.integer({ min: -0x80000000, max: 0x7fffffff }),
      u64: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      size: fc.integer({ min: 0, max: 0x02000000 }),
      bytes: fc.uint8Array({ maxLength: 600 }),
    });
    fc.assert(
      fc.property(record, (values) => {
        const writer = createWriter(1);
        writer.u8(values.u8);
        writer.u16(values.u16);
        writer.u32(values.u32);
        writer.i32(values.i32);
        writer.u64(values.u64);
        const sizeAt = writer.length;
        writer.compactSize(values.size);
        expect(writer.length - sizeAt).toBe(compactSizeBytes(values.size));
        writer.varBytes(values.bytes);
        const reader = createReader(writer.finish());
        expect({
          u8: reader.u8(),
          u16: reader.u16(),
          u32: reader.u32(),
          i32: reader.i32(),
          u64: reader.u64(),
          size: reader.compactSize(),
          bytes: reader.varSlice(),
        }).toEqual(values);
        expect(reader.failure).toBeUndefined();
        expect(reader.remaining).toBe(0);
      }),
    );
  });

  test('byte strings that are stepped over leave the reader where reading them does, in bytes of any kind', () => {
    const lengths = fc.constantFrom(0, 1, 252, 253, 600);
    const whole = fc.array(lengths, { maxLength: 20 }).map((list) => {
      const writer = createWriter(1);
      for (const length of list) writer.varBytes(new Uint8Array(length));
      return writer.finish();
    });
    const input = fc.oneof(
      whole,
      fc.tuple(whole, fc.nat(3_000)).map(([bytes, end]) => bytes.subarray(0, end)),
      fc.uint8Array({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(input, fc.nat(25), (bytes, count) => {
        const skipping = createReader(bytes);
        skipping.skipVarSlices(count);
        const reading = createReader(bytes);
        for (let i = 0; i < count && reading.failure === undefined; i++) reading.varSlice();
        expect([skipping.position, skipping.failure]).toEqual([reading.position, reading.failure]);
        skipping.skipVarSlices(1);
        reading.varSlice();
        expect([skipping.position, skipping.failure]).toEqual([reading.position, reading.failure]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the first fault is kept, and every read after it answers nothing and moves no further', () => {
    const reader = createReader(getHexBytes('0102'));
    expect(reader.u32()).toBe(0);
    const { failure } = reader;
    expect(failure).toBe('needs 4 more bytes, 2 are left at byte 0');
    expect(reader.u8()).toBe(0);
    expect(reader.u64()).toBe(0n);
    expect(reader.slice(1)).toHaveLength(0);
    reader.reject('later');
    expect(reader.failure).toBe(failure);
    expect(reader.position).toBe(0);
  });

  test.each([
    'fd',
    'fdfc00',
    'fe00000000',
    'feffff0000',
    'ff0000000000000000',
    'ffffffffff00000000',
    'ffffffffffffffffff',
    'fe01000002',
  ])('the size %s is refused: cut short, not shortest, or over 32 MiB', (hex) => {
    const reader = createReader(getHexBytes(hex));
    expect(reader.compactSize()).toBe(0);
    expect(reader.failure).toBeDefined();
  });

  test('a count is bounded by what the bytes left can hold', () => {
    expect(createReader(getHexBytes('020000')).count(1)).toBe(2);
    const tooMany = createReader(getHexBytes('030000'));
    expect(tooMany.count(1)).toBe(0);
    expect(tooMany.failure).toContain('count 3 is more than the 2 bytes left can hold');
  });
});
