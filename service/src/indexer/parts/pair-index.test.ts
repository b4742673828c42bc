import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPairIndex } from './pair-index.ts';

const number = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  // Numbers that agree in their lowest 32 bits.
  fc.integer({ min: 0, max: 3 }).map((high) => high * 2 ** 32 + 7),
  fc.maxSafeNat(),
);

test('a pair keeps the number that it got, and pairs are numbered as they come, however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { maxLength: 400 }), (pairs) => {
      const index = createPairIndex(2);
      const wanted = new Map<string, number>();
      for (const [first, second] of pairs) {
        const text = `${first},${second}`;
        const expected = wanted.get(text) ?? wanted.size;
        wanted.set(text, expected);
        expect(index.add(first, second)).toBe(expected);
        expect([index.first(expected), index.second(expected)]).toEqual([first, second]);
      }
      expect(index.size).toBe(wanted.size);
    }),
  );
});

test('100,000 neighbours are told apart, and forgotten together', () => {
  const index = createPairIndex(1_024);
  for (let i = 0; i < 100_000; i++) expect(index.add(i >> 3, i & 7)).toBe(i);
  for (let i = 0; i < 100_000; i += 997) expect(index.add(i >> 3, i & 7)).toBe(i);
  index.clear();
  expect(index.size).toBe(0);
  expect(index.add(99_999 >> 3, 1)).toBe(0);
});
