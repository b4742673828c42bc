import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getHexBytes, parseDisplayHash, toDisplayHash } from './bytes.ts';
import { sha256d } from './hash.ts';
import { isAmbiguousMerkleLeaf, merkleBranch, merkleRoot, verifyMerkleBranch } from './merkle.ts';
import { getValue } from './result.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const leaves = fc.uniqueArray(hash, { minLength: 1, maxLength: 40, selector: toDisplayHash });

// Bitcoin block 100,000: four transactions.
const TXIDS = [
  '8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87',
  'fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4',
  '6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4',
  'e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d',
].map((text) => getValue(parseDisplayHash(text)));
const ROOT = 'f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766';

describe('merkle', () => {
  test('the root of Bitcoin block 100,000', () => {
    expect(toDisplayHash(merkleRoot(TXIDS))).toBe(ROOT);
  });

  test('every branch leads to the root', () => {
    fc.assert(
      fc.property(leaves, fc.nat(), (txids, pick) => {
        const index = pick % txids.length;
        const branch = merkleBranch(txids, index);
        expect(verifyMerkleBranch(txids[index]!, branch, index, merkleRoot(txids))).toEqual({
          ok: true,
          value: true,
        });
      }),
    );
  });

  test('no branch proves another txid, index or root', () => {
    fc.assert(
      fc.property(leaves, fc.nat(), hash, (txids, pick, other) => {
        const index = pick % txids.length;
        const branch = merkleBranch(txids, index);
        const root = merkleRoot(txids);
        const depth = 2 ** branch.length;
        expect(verifyMerkleBranch(other, branch, index, root).ok).toBe(false);
        expect(verifyMerkleBranch(txids[index]!, branch, index, other).ok).toBe(false);
        expect(verifyMerkleBranch(txids[index]!, branch, index + depth, root).ok).toBe(false);
        for (let wrong = 0; wrong < Math.min(depth, 8); wrong++) {
          // The last one of an odd level has its own duplicate beside it; that index is refused too.
          if (wrong !== index) expect(verifyMerkleBranch(txids[index]!, branch, wrong, root).ok).toBe(false);
        }
      }),
    );
  });

  test('branches that are too deep or of malformed hashes are refused', () => {
    const zero = new Uint8Array(32);
    expect(verifyMerkleBranch(zero, Array(33).fill(zero), 0, zero).ok).toBe(false);
    expect(verifyMerkleBranch(zero, [zero, zero], 0, zero, 1).ok).toBe(false);
    expect(verifyMerkleBranch(zero, [new Uint8Array(31)], 0, zero).ok).toBe(false);
    expect(verifyMerkleBranch(zero, [], -1, zero).ok).toBe(false);
    expect(verifyMerkleBranch(zero, [], 0.5, zero).ok).toBe(false);
  });

  test('a missing transaction and an empty tree are errors of the caller', () => {
    expect(() => merkleBranch(TXIDS, 4)).toThrow(RangeError);
    expect(() => merkleRoot([])).toThrow(RangeError);
  });

  test('a branch through an inner node that is a transaction is refused', () => {
    const input = `01${'ab'.repeat(32)}0000000000ffffffff`;
    const tx = getHexBytes(`02000000${input}01${'00'.repeat(8)}046a02000000000000`);
    expect(tx.length).toBe(64);
    expect(verifyMerkleBranch(tx.subarray(0, 32), [tx.subarray(32)], 0, sha256d(tx))).toEqual({
      ok: false,
      reason: 'merkle branch passes through a transaction',
    });
  });

  test('a transaction of 64 bytes is ambiguous', () => {
    expect([63, 64, 65].map(isAmbiguousMerkleLeaf)).toEqual([false, true, false]);
  });
});
