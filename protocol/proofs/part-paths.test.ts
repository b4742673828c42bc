import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { hashLeaf, inclusionPath, rootOfLeaves, verifyInclusion } from '../signed-log/merkle-tree.ts';
import { pathThroughParts, rootOfDigests, rootOfParts } from './part-paths.ts';

const digests = Array.from({ length: 70 }, (_, i) => sha256(Uint8Array.of(i)));

test('root and paths through parts are those of the whole tree, for all sizes of tree and part', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: digests.length }),
      fc.integer({ min: 0, max: 4 }),
      fc.nat(),
      (size, power, chosen) => {
        const leaves = digests.slice(0, size);
        const width = 2 ** power;
        const parts = Array.from({ length: Math.ceil(size / width) }, (_, i) =>
          concatBytes(...leaves.slice(i * width, (i + 1) * width)),
        );
        const roots = concatBytes(...parts.map(rootOfDigests));
        const whole = leaves.map(hashLeaf);
        expect(rootOfParts(roots)).toEqual(rootOfLeaves(whole));
        const index = chosen % size;
        const part = Math.floor(index / width);
        const path = pathThroughParts(parts[part]!, index % width, roots, part);
        expect(path).toEqual(inclusionPath(whole, index));
        expect(
          verifyInclusion({ leafHash: whole[index]!, index, size, path, root: rootOfParts(roots) }),
        ).toBe(true);
      },
    ),
  );
});

test('a part of 1,024 leaves has the root and the paths of the readable form, and there is no leaf beside them', () => {
  const leaves = Array.from({ length: 1_024 }, (_, i) => sha256(Uint8Array.of(i >> 8, i)));
  const packed = concatBytes(...leaves);
  const hashed = leaves.map(hashLeaf);
  expect(rootOfDigests(packed)).toEqual(rootOfLeaves(hashed));
  for (const place of [0, 1, 511, 1_023])
    expect(pathThroughParts(packed, place, rootOfDigests(packed), 0)).toEqual(inclusionPath(hashed, place));
  for (const place of [-1, 0.5, 1_024])
    expect(() => pathThroughParts(packed, place, rootOfDigests(packed), 0)).toThrow(RangeError);
  expect(() => rootOfParts(new Uint8Array(0))).toThrow(RangeError);
});
