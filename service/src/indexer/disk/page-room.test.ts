import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPageRoom } from './page-room.ts';

test('gives room of any size, and none twice', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(80_000), { maxLength: 60 }), (sizes) => {
      const roomFor = createPageRoom();
      const rooms = sizes.map((bytes, i) => roomFor(bytes).fill(i));
      for (const [i, room] of rooms.entries()) {
        expect(room).toHaveLength(sizes[i]!);
        expect(room.every((byte) => byte === i)).toBe(true);
      }
    }),
    { numRuns: 20 },
  );
});

test('a copy of some bytes of a page does not hold the memory of others', () => {
  const page = createPageRoom()(4_000);
  const copy = page.subarray(0, 32).slice();
  expect(copy.buffer.byteLength).toBe(32);
  expect(Buffer.isBuffer(page)).toBe(false);
});
