import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findParentHeader } from './auxpow.ts';
import { blockHashOf, parseBlock } from './block.ts';
import { concatBytes, getHexBytes, toDisplayHash } from './bytes.ts';
import { sha256d } from './hash.ts';
import { hasProofOfWork } from './proof-of-work.ts';
import { getValue } from './result.ts';
import { findRealBlock, MISSING_VECTORS } from './testing/real-blocks.ts';
import { serializeTransaction, type Transaction, txidOf } from './transaction.ts';

const CHAIN_ID = 0x62;
const MAGIC = 'fabe6d6d';

/** A header of the chain: version 4 with the bit of merged mining. */
function makeHeader(chainId = CHAIN_ID): Uint8Array {
  const header = new Uint8Array(80).fill(7);
  new DataView(header.buffer).setUint32(0, (chainId << 16) | 0x104, true);
  return header;
}

const u32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
};

type Parts = {
  header: Uint8Array;
  script: (root: Uint8Array) => Uint8Array;
  isCoinbase: boolean;
  index: number;
  siblings: Uint8Array[];
  place: number;
};

/** A proof whose parent has one more transaction, mined for two chains. */
function makeProof(parts: Partial<Parts> = {}): {
  header: Uint8Array;
  proof: Uint8Array;
  parent: Uint8Array;
} {
  const { header = makeHeader(), isCoinbase = true, index = 0, place = 1 } = parts;
  const siblings = parts.siblings ?? [new Uint8Array(32).fill(3)];
  const script =
    parts.script ?? ((root) => concatBytes(getHexBytes(`03aabbcc${MAGIC}`), root, u32(2), u32(5)));
  const climbed = siblings.reduce(
    (hash, step, level) => sha256d((place >> level) & 1 ? concatBytes(step, hash) : concatBytes(hash, step)),
    blockHashOf(header),
  );
  const coinbase: Transaction = {
    version: 1,
    inputs: [
      {
        prevTxid: new Uint8Array(32).fill(isCoinbase ? 0 : 9),
        prevVout: 0xffffffff,
        scriptSig: script(climbed.reverse()),
        sequence: 0,
        witness: [],
      },
    ],
    outputs: [{ value: 50n, script: Uint8Array.of(0x51) }],
    lockTime: 0,
    hasWitness: false,
  } as unknown as Transaction;
  const other = new Uint8Array(32).fill(5);
  const parent = new Uint8Array(80).fill(8);
  parent.set(sha256d(concatBytes(txidOf(coinbase), other)), 36);
  const proof = concatBytes(
    serializeTransaction(coinbase, { witness: false, mweb: false }),
    new Uint8Array(32),
    ...[Uint8Array.of(1), other, u32(index)],
    ...[Uint8Array.of(siblings.length), ...siblings, u32(place)],
    parent,
  );
  return { header, proof, parent };
}

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
    const { header, proof, parent } = makeProof();
    expect(findParentHeader(header, proof)).toEqual(parent);
    expect(findParentHeader(makeHeader(CHAIN_ID + 1), proof)).toBeUndefined();
    expect(findParentHeader(header, makeProof({ place: 0 }).proof)).toBeUndefined();
  });

  test('is none where the coinbase does not name the root as it has to', () => {
    const scripts: Parts['script'][] = [
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
      const { header, proof } = makeProof({ script });
      expect(findParentHeader(header, proof)).toBeUndefined();
    }
    const early = makeProof({ script: (root) => concatBytes(new Uint8Array(20), root, u32(2), u32(5)) });
    expect(findParentHeader(early.header, early.proof)).toEqual(early.parent);
  });

  test('is none where anybody could have put the root there: in a transaction that is no coinbase', () => {
    for (const parts of [{ isCoinbase: false }, { index: 1 }]) {
      const { header, proof } = makeProof(parts);
      expect(findParentHeader(header, proof)).toBeUndefined();
    }
  });

  test('that is cut, longer or arbitrary is none, and nothing is thrown', () => {
    const { header, proof } = makeProof();
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
