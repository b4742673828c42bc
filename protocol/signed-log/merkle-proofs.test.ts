import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, getHexBytes } from '../bytes.ts';
import { createFrontier } from './frontier.ts';
import {
  joinSubtrees,
  type LeafRange,
  listConsistencyRanges,
  listInclusionRanges,
  splitIntoSubtrees,
} from './merkle-ranges.ts';
import { hashLeaf, inclusionPath, rootOfLeaves } from './merkle-tree.ts';
import { verifyConsistency } from './verify-consistency.ts';

const SIZES = 70;
const all = Array.from({ length: SIZES }, (_, i) => hashLeaf(Uint8Array.of(i)));
const other = hashLeaf(Uint8Array.of(200));

function rootOf(range: LeafRange, leaves: readonly Uint8Array[] = all): Uint8Array {
  return joinSubtrees(
    splitIntoSubtrees(range).map(({ level, index }) =>
      rootOfLeaves(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
    ),
  );
}

test('the ranges of a proof of inclusion have the hashes of its path, for each leaf of each size', () => {
  for (let size = 1; size <= SIZES; size++) {
    const leaves = all.slice(0, size);
    expect(rootOf({ from: 0, to: size })).toEqual(rootOfLeaves(leaves));
    for (let index = 0; index < size; index++)
      expect(listInclusionRanges(index, size).map((range) => rootOf(range))).toEqual(
        inclusionPath(leaves, index),
      );
  }
});

test('a frontier has the root of each size on the way', () => {
  const frontier = createFrontier();
  for (let size = 0; size < SIZES; size++) {
    expect(frontier.root()).toEqual(rootOfLeaves(all.slice(0, size)));
    frontier.add(all[size]!);
  }
  expect(frontier.size()).toBe(SIZES);
});

test('what cannot be proved has no ranges', () => {
  for (const [index, size] of [
    [0, 0],
    [5, 5],
    [-1, 3],
    [0.5, 3],
    [0, 2 ** 60],
  ] as const)
    expect(() => listInclusionRanges(index, size)).toThrow(RangeError);
  for (const [from, to] of [
    [4, 3],
    [-1, 3],
    [1.5, 3],
  ] as const)
    expect(() => listConsistencyRanges(from, to)).toThrow(RangeError);
});

describe('proofs of consistency', () => {
  /** Of the reference implementation of Certificate Transparency. */
  const inputs = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ];
  const known: [number, number, string[]][] = [
    [1, 1, []],
    [
      1,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      6,
      8,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [
      2,
      5,
      [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ];

  test.each(known)('from %i to %i leaves have the hashes that are published', (from, to, hashes) => {
    const leaves = inputs.map((hex) => hashLeaf(getHexBytes(hex)));
    const path = listConsistencyRanges(from, to).map((range) => rootOf(range, leaves));
    expect(path.map(bytesToHex)).toEqual(hashes);
  });

  test('hold for all sizes, and no other root, size or path does', () => {
    for (let newSize = 0; newSize <= SIZES; newSize++) {
      const newRoot = rootOfLeaves(all.slice(0, newSize));
      for (let oldSize = 0; oldSize <= newSize; oldSize++) {
        const path = listConsistencyRanges(oldSize, newSize).map((range) => rootOf(range));
        const proof = { oldSize, oldRoot: rootOfLeaves(all.slice(0, oldSize)), newSize, newRoot, path };
        expect(verifyConsistency(proof)).toBe(true);
        const wrong = [
          { ...proof, oldRoot: other },
          { ...proof, path: [...path, other] },
          { ...proof, oldSize: oldSize + 1 },
          { ...proof, oldSize: newSize + 1 },
          // The empty tree begins every tree that is not empty, whatever its root.
          ...(oldSize === 0 && newSize > 0 ? [] : [{ ...proof, newRoot: other }]),
          ...(oldSize === 0 ? [] : [{ ...proof, oldSize: oldSize - 1 }]),
          ...(path.length === 0
            ? []
            : [
                { ...proof, path: path.slice(0, -1) },
                { ...proof, path: [other, ...path.slice(1)] },
                { ...proof, path: [] },
              ]),
        ];
        for (const each of wrong) expect(verifyConsistency(each)).toBe(false);
      }
    }
  });

  test('are refused without an error, whatever they hold', () => {
    const hash = fc.uint8Array({ maxLength: 40 });
    const size = fc.oneof(fc.double(), fc.integer({ min: -1, max: 300 }));
    const some = fc.record({
      oldSize: size,
      oldRoot: hash,
      newSize: size,
      newRoot: hash,
      path: fc.array(hash, { maxLength: 80 }),
    });
    fc.assert(
      fc.property(some, (proof) => {
        expect(verifyConsistency(proof)).toBe(false);
      }),
    );
  });
});
