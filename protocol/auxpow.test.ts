import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findParentHeader } from './auxpow.ts';
import { blockHashOf, parseBlock } from './block.ts';
import { concatBytes, getHexBytes, toDisplayHash } from './bytes.ts';
import { hasProofOfWork } from './proof-of-work.ts';
import { getValue } from './result.ts';
import {
  MAGIC,
  type MergedProofParts,
  makeMergedHeader,
  makeMergedProof,
  u32,
} from './testing/merged-proof.ts';
import { findRealBlock, MISSING_VECTORS } from './testing/real-blocks.ts';

describe('a merged-mining proof', () => {
  test('of the first such block of Dogecoin leads to the Litecoin header that has its work', (ctx) => {
    const real = findRealBlock('dogecoin_mainnet_371337');
    if (!real) return ctx.skip(MISSING_VECTORS);
    const { headerBytes, auxpow } = getValue(parseBlock(getHexBytes(real.block), { auxpow: true }));
    const parent = findParentHeader(headerBytes, auxpow!)!;
    expect(toDisplayHash(blockHashOf(headerBytes))).toBe(real.hash);
    expect(hasProofOfWork(headerBytes, 'scrypt', undefined, parent)).toBe(true);
    expect(hasProofOfWork(headerBytes, 'scrypt')).toBe(false);
    // Any other byte, of the header or of the proof but for the hash of the parent in it, makes it none.
    for (const at of [0, 3, 40, 79]) {
      const bent = headerBytes.slice();
      bent[at]! ^= 1;
      expect(findParentHeader(bent, auxpow!)).toBeUndefined();
    }
  });

  test("binds a header to its parent by the place that is the chain's own", () => {
    const { header, proof, parent } = makeMergedProof();
    expect(findParentHeader(header, proof)).toEqual(parent);
    expect(findParentHeader(makeMergedHeader(0x63), proof)).toBeUndefined();
    expect(findParentHeader(header, makeMergedProof({ place: 0 }).proof)).toBeUndefined();
  });

  test('is none where the coinbase does not name the root as it has to', () => {
    const scripts: MergedProofParts['script'][] = [
      // Twice announced, announced elsewhere, of another size of tree, not announced and too late.
      (root) => concatBytes(getHexBytes(MAGIC + MAGIC), root, u32(2), u32(5)),
      (root) => concatBytes(getHexBytes(`${MAGIC}00`), root, u32(2), u32(5)),
      (root) => concatBytes(getHexBytes(MAGIC), root, u32(4), u32(5)),
      (root) => concatBytes(new Uint8Array(21), root, u32(2), u32(5)),
      (root) => concatBytes(getHexBytes(MAGIC), root.toReversed(), u32(2), u32(5)),
      (root) => concatBytes(getHexBytes(MAGIC), root, u32(2)),
      // Longer than the script of any coinbase.
      (root) => concatBytes(new Uint8Array(57), getHexBytes(MAGIC), root, u32(2), u32(5)),
    ];
    for (const script of scripts) {
      const { header, proof } = makeMergedProof({ script });
      expect(findParentHeader(header, proof)).toBeUndefined();
    }
    const early = makeMergedProof({
      script: (root) => concatBytes(new Uint8Array(20), root, u32(2), u32(5)),
    });
    expect(findParentHeader(early.header, early.proof)).toEqual(early.parent);
  });

  test('is none where anybody could have put the root there: in a transaction that is no coinbase', () => {
    for (const parts of [{ isCoinbase: false }, { index: 1 }]) {
      const { header, proof } = makeMergedProof(parts);
      expect(findParentHeader(header, proof)).toBeUndefined();
    }
  });

  test('that is cut, longer or arbitrary is none, and nothing is thrown', () => {
    const { header, proof } = makeMergedProof();
    for (let end = 0; end < proof.length; end++)
      expect(findParentHeader(header, proof.subarray(0, end))).toBeUndefined();
    expect(findParentHeader(header, concatBytes(proof, Uint8Array.of(0)))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(findParentHeader(header, bytes)).toBeUndefined();
      }),
    );
  });
});
