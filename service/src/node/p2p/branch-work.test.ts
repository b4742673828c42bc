import { blockHashOf } from '@coinfront/protocol/block.ts';
import { hasProofOfWork } from '@coinfront/protocol/proof-of-work.ts';
import {
  type MergedProofParts,
  makeMergedHeader,
  makeMergedProof,
} from '@coinfront/protocol/testing/merged-proof.ts';
import { expect, test } from 'vitest';
import { type ClaimedHeader, findHeaderWork, hasMoreWork } from './branch-work.ts';

const EASY_BITS = 0x207fffff;
/** Each block of these bits is two hashes of work. */
const WORK = 2n;

/** A header of these bits, mined for a kind of work, or for its lack. */
function mine(seed: number, { kind = 'scrypt', bits = EASY_BITS, isValid = true } = {}): Uint8Array {
  const header = new Uint8Array(80).fill(seed);
  const view = new DataView(header.buffer);
  view.setUint32(72, bits, true);
  for (let nonce = 0; ; nonce++) {
    view.setUint32(76, nonce, true);
    if (hasProofOfWork(header, kind as 'scrypt') === isValid) return header;
  }
}

/** A merged-mined header whose parent meets its target. */
function merge(header: Uint8Array, parts: Partial<MergedProofParts> = {}): ClaimedHeader {
  for (let nonce = 0; ; nonce++) {
    const { proof, parent } = makeMergedProof({ ...parts, header, nonce });
    if (hasProofOfWork(header, 'scrypt', undefined, parent)) return { header, proof };
  }
}

/** A merged-mined header of easy bits. */
function mergedHeader(seed: number, chainId?: number): Uint8Array {
  const header = makeMergedHeader(chainId, seed);
  new DataView(header.buffer).setUint32(72, EASY_BITS, true);
  return header;
}

/** A header that is its own work. */
const own = (header: Uint8Array): ClaimedHeader => ({ header, proof: undefined });

const branch = [1, 2, 3, 4].map((seed) => own(mine(seed)));

test('a branch has more work than ours only where it exceeds it', async () => {
  expect(await hasMoreWork(branch, 3n * WORK, 'scrypt')).toBe(true);
  expect(await hasMoreWork(branch, 4n * WORK, 'scrypt')).toBe(false);
  expect(await hasMoreWork([], 0n, 'scrypt')).toBe(false);
});

test('work that was not done counts for nothing, whatever a header says of it', async () => {
  expect(await hasMoreWork(branch.with(1, own(mine(2, { isValid: false }))), 3n * WORK, 'scrypt')).toBe(
    false,
  );
  // Of a difficulty that nobody has met here.
  const boasting = mine(9, { bits: 0x1b00ffff, isValid: false });
  expect(await hasMoreWork([own(boasting)], WORK, 'scrypt')).toBe(false);
});

test('a claim that is made up is found at the first hash, however many headers come with it', async () => {
  const boasting = mine(9, { bits: 0x1b00ffff, isValid: false });
  let hashes = 0;
  const isProven: typeof hasProofOfWork = (...args) => {
    hashes++;
    return hasProofOfWork(...args);
  };
  const many = Array.from({ length: 1_999 }, (_, i) => branch[i % branch.length]!);
  expect(await hasMoreWork([...many, own(boasting)], 4_000n * WORK, 'scrypt', { isProven })).toBe(false);
  expect(hashes).toBe(1);
});

test('the work of a merged-mined header is that of its parent, and a parent is the work of one header only', async () => {
  const merged = [5, 6, 7].map((seed) => merge(mergedHeader(seed)));
  expect(await hasMoreWork(merged, 2n * WORK, 'scrypt')).toBe(true);
  expect(await hasMoreWork(merged.with(1, merged[0]!), 2n * WORK, 'scrypt')).toBe(false);
  // A parent that is mined for both: each has its own place in it.
  const [left, right] = [mergedHeader(8, 0x63), mergedHeader(9)];
  const both = [
    merge(left, { siblings: [blockHashOf(right)], place: 0 }),
    merge(right, { siblings: [blockHashOf(left)], place: 1 }),
  ];
  for (const each of both) expect(await hasMoreWork([each], WORK - 1n, 'scrypt')).toBe(true);
  expect(await hasMoreWork(both, 2n * WORK - 1n, 'scrypt')).toBe(false);
  // A proof that is none of the header.
  const swapped = { header: merged[2]!.header, proof: merged[1]!.proof };
  expect(await hasMoreWork(merged.with(2, swapped), 2n * WORK, 'scrypt')).toBe(false);
});

test('checking ends when the look does', async () => {
  const signal = AbortSignal.abort(new Error('the look is over'));
  await expect(hasMoreWork(branch, 3n * WORK, 'scrypt', { signal })).rejects.toThrow('the look is over');
});

test('where headers do not show their work nobody is believed', async () => {
  expect(await hasMoreWork(branch, 0n, undefined)).toBe(false);
});

test('how a chain proves its work is told from its headers, unless they fit both ways', () => {
  const many = Array.from({ length: 24 }, (_, seed) => mine(seed, { kind: 'sha256d' }));
  expect(findHeaderWork(many)).toBe('sha256d');
  expect(findHeaderWork([...many, mine(7, { kind: 'sha256d', isValid: false })])).toBeUndefined();
  expect(findHeaderWork([])).toBeUndefined();
});
