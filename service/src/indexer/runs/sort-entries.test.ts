import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visitInOrder } from './sort-entries.ts';

/** Entries of 12 bytes; the larger `spread`, the more of them differ in their first bytes. */
function makeEntries(count: number, spread: number, seed: number): Uint8Array {
  const entries = new Uint8Array(count * 12);
  let state = seed + 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const view = new DataView(entries.buffer);
  for (let at = 0; at < entries.length; at += 12) {
    view.setUint16(at, 7);
    view.setUint32(at + 2, next(spread));
    view.setUint32(at + 6, next(4));
    view.setUint16(at + 10, next(2));
  }
  return entries;
}

test.each([
  ['a few', 40],
  ['many', 70_000],
])('%s entries are visited in the order of their bytes, each as often as it is there', (_, count) => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 50, 5_000, 2 ** 20, 2 ** 32),
      fc.nat(1_000_000),
      fc.constantFrom(4, 6),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (spread, seed, radixBytes, share) => {
        const entries = makeEntries(count, spread, seed);
        const visited: string[] = [];
        const roomFor = (least: number, all: number) =>
          new Uint8Array(Math.round(least + (all - least) * share ** 4));
        visitInOrder(entries, 12, radixBytes, roomFor, (source, at) =>
          visited.push(Buffer.from(source.subarray(at, at + 12)).toString('latin1')),
        );
        const wanted: string[] = [];
        for (let at = 0; at < entries.length; at += 12)
          wanted.push(Buffer.from(entries.subarray(at, at + 12)).toString('latin1'));
        // Strings of one byte a character are in the order of their bytes.
        expect(visited).toEqual(wanted.sort());
      },
    ),
    { numRuns: count > 1_000 ? 12 : 100 },
  );
});
