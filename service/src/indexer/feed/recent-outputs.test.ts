import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecentOutputs } from './recent-outputs.ts';

test('the latest outputs are known, and nothing that is wrong', () => {
  const capacity = 8;
  const step = fc.record({
    clear: fc.nat(9).map((n) => n === 0),
    skip: fc.nat(20).map((n) => (n < 18 ? 0 : n)),
    undone: fc.nat(20).map((n) => (n < 14 ? 0 : n - 13)),
    outputs: fc.nat(12),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const recent = createRecentOutputs(capacity);
      let known = new Set<number>();
      // Beyond what 32 bits can count.
      let next = 2 ** 33;
      for (const { clear, skip, undone, outputs } of steps) {
        if (clear) recent.clear();
        if (clear || (skip > 0 && outputs > 0)) known.clear();
        if (skip > 0 && outputs > 0) next += skip;
        next -= undone;
        if (undone > 0) recent.forgetFrom(next);
        const ids = Array.from({ length: outputs }, (_, i) => next + i);
        if (outputs > 0) {
          const values = BigInt64Array.from(ids, (id) => BigInt(id) * 5n);
          recent.add(next, values, new Uint8Array(ids.flatMap((id) => new Array(16).fill(id % 251))));
        }
        const kept = [...known].filter((id) => id < next);
        next += outputs;
        known = new Set([...kept, ...ids].filter((id) => id >= next - capacity));
        for (let id = next - 40; id < next + 40; id++) {
          expect(recent.has(id)).toBe(known.has(id));
          if (!known.has(id)) continue;
          const key = new Uint8Array(20);
          recent.copyKey(id, key, 2);
          expect([...key]).toEqual([0, 0, ...new Array(16).fill(id % 251), 0, 0]);
          expect(recent.getValue(id)).toBe(BigInt(id) * 5n);
        }
      }
    }),
  );
});
