import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPendingKeys } from './pending-keys.ts';

const MAX_KEY = 2 ** 48 - 1;
/** Random keys, and a few that come again and again, or have their lowest bits in common. */
const key = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: MAX_KEY }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 2 ** 32, 2 ** 40, MAX_KEY) },
);

test('all ids under a key are found in their order, and none under another, however many there are', () => {
  const round = fc.array(key, { minLength: 1, maxLength: 9_000, size: 'max' });
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 4 }), fc.array(key), (rounds, others) => {
      const pending = createPendingKeys();
      for (const keys of rounds) {
        const idsOf = new Map<number, number[]>();
        for (const [id, added] of keys.entries()) {
          pending.add(added, id);
          idsOf.set(added, [...(idsOf.get(added) ?? []), id]);
        }
        expect(pending.size).toBe(keys.length);
        expect([...(pending.list().keys as Float64Array)]).toEqual(keys);
        for (const any of [...keys.slice(0, 100), ...others])
          expect(pending.find(any)).toEqual(idsOf.get(any) ?? []);
        pending.clear();
        expect(pending.size).toBe(0);
        for (const any of keys.slice(0, 100)) expect(pending.find(any)).toEqual([]);
      }
    }),
    { numRuns: 20 },
  );
});
