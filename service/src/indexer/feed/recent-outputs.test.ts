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
        for (let id = next - 40; id < next + 40; id++) expect(recent.has(id)).toBe(known.has(id));
        // Of every other place nothing is asked.
        const outputIds = [...known].flatMap((id) => [-1, id]);
        const places = Uint32Array.from([...known].keys(), (i) => 2 * i + 1);
        const to = {
          values: new BigInt64Array(outputIds.length),
          keys: new Uint8Array(outputIds.length * 16),
        };
        recent.copy(Float64Array.from(outputIds), places, to);
        expect([...to.values]).toEqual(outputIds.map((id) => (id < 0 ? 0n : BigInt(id) * 5n)));
        expect([...to.keys]).toEqual(outputIds.flatMap((id) => new Array(16).fill(id < 0 ? 0 : id % 251)));
      }
    }),
  );
});
