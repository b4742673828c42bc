import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameMeter } from './frame-meter.ts';

/** A frame as a client sends it, and whether its length is written in the longest form. */
function writeFrame(opcode: number, isFinal: boolean, size: number, isLong = false): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode;
  const mask = [0xff, 0x82, 0x00, 0x7f];
  const head = Buffer.alloc(isLong || size > 0xffff ? 10 : size > 125 ? 4 : 2, first);
  head[1] = 0x80 | (head.length === 10 ? 127 : head.length === 4 ? 126 : size);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(size), 2);
  if (head.length === 4) head.writeUInt16BE(size, 2);
  return Buffer.concat([head, Buffer.from(mask), Buffer.alloc(size, 0x8a)]);
}

const size = fc.oneof(fc.nat({ max: 130 }), fc.constantFrom(0, 125, 126, 65_535, 65_536));
const part = fc.record({
  size,
  isLong: fc.boolean(),
  pings: fc.array(fc.nat({ max: 125 }), { maxLength: 2 }),
});
const messages = fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });

test('held is what came since the last message that is whole, without whole pings, whatever pieces it arrives in', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1 }), (sent, cuts) => {
      const frames: { bytes: Buffer; isControl: boolean; isEnd: boolean }[] = [];
      for (const parts of sent)
        for (const [i, each] of parts.entries()) {
          for (const ping of each.pings)
            frames.push({ bytes: writeFrame(9, true, ping), isControl: true, isEnd: false });
          const isEnd = i === parts.length - 1;
          const bytes = writeFrame(i === 0 ? 1 : 0, isEnd, each.size, each.isLong);
          frames.push({ bytes, isControl: false, isEnd });
        }
      const heldAt = (passed: number): number => {
        let left = passed;
        let held = 0;
        for (const { bytes, isControl, isEnd } of frames) {
          if (left < bytes.length) break;
          left -= bytes.length;
          if (!isControl) held = isEnd ? 0 : held + bytes.length;
        }
        return held + left;
      };
      const all = Buffer.concat(frames.map(({ bytes }) => bytes));
      const meter = createFrameMeter();
      for (let at = 0, i = 0; at < all.length; i++) {
        const end = Math.min(all.length, at + cuts[i % cuts.length]!);
        meter.pass(all.subarray(at, end));
        expect(meter.held).toBe(heldAt(end));
        at = end;
      }
      expect(meter.held).toBe(0);
    }),
    { numRuns: 20 },
  );
});
