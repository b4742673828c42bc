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
