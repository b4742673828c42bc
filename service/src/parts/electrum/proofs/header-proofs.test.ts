import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { merkleRoot, verifyMerkleBranch } from '@coinfront/protocol/merkle.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { expect, test } from 'vitest';
import type { ChainView } from '../../../chain/chain-view.ts';
import { sha256 } from '../../../indexer/encoding/hashes.ts';
import { createHeaderProofs } from './header-proofs.ts';

/** Hashes of Bitcoin's first blocks. */
const bitcoin = [
  '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  '00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048',
  '000000006a625f06636b8bb6ac7b960a8d03705d1ace08b1a19da3fdcc99ddbd',
  '0000000082b5015589a3fdf2d4baff403e6f0be035a5d9742c1cae6295464449',
  '000000004ebadb55ee9096c9a2f8880e09da59c0d68b1c228da88e48844a1485',
  '000000009b7262315dbf071787ad3656097b892abffd1f95a1a022f896f533fc',
  '000000003031a0e73735690c5a1ff2a4be82553b2a12b776fbd3a215dc8f778d',
  '0000000071966c2b1d065fd446b1e485b2c9d9594acd2007ccbd5441cfc89444',
  '00000000408c48f847aa786c2268fc3e6ec2af68e8468a34a28c61b7f1de0dc6',
].map((text) => getValue(parseDisplayHash(text)));

/** Hashes of a chain of its own. */
function makeHashes(count: number, branch = 0): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => sha256(Uint8Array.of(branch, i & 255, i >> 8)));
}

function viewOf(hashes: readonly Uint8Array[]): ChainView {
  return {
    listBlockHashes: async (from: number, count: number) => hashes.slice(from, from + count),
    nameBlockAt: async (height: number) => hashes[height] && { height, hash: hashes[height], time: 0 },
  } as Partial<ChainView> as ChainView;
}

test('the example of the protocol: block 5 of Bitcoin below a checkpoint at 8', async () => {
  const { prove } = createHeaderProofs(async () => {});
  expect(await prove(viewOf(bitcoin), 5, 8)).toEqual({
    branch: [
      '000000004ebadb55ee9096c9a2f8880e09da59c0d68b1c228da88e48844a1485',
      '96cbbc84783888e4cc971ae8acf86dd3c1a419370336bb3c634c97695a8c5ac9',
      '965ac94082cebbcffe458075651e9cc33ce703ab0115c72d9e8b1a9906b2b636',
      '89e5daa6950b895190716dd26054432b564ccdc2868188ba1da76de8e1dc7591',
    ],
    root: 'e347b1c43fd9b5415bf0d92708db8284b78daf4d0e24f9c3405f45feb85e25db',
  });
});

const long = makeHashes(7_000);

test.each([
  [0, 0],
  [0, 2_047],
  [2_047, 2_048],
  [2_048, 2_048],
  [4_095, 4_095],
  [100, 5_000],
  [4_999, 5_000],
  [6_143, 6_143],
  [6_999, 6_999],
  [3_000, 6_998],
])('header %i leads to the root of all up to %i', async (height, checkpoint) => {
  const { prove } = createHeaderProofs(async () => {});
  const { branch, root } = await prove(viewOf(long), height, checkpoint);
  const expected = merkleRoot(long.slice(0, checkpoint + 1));
  expect(root).toBe(toDisplayHash(expected));
  const hashes = branch.map((text) => getValue(parseDisplayHash(text)));
  expect(verifyMerkleBranch(long[height]!, hashes, height, expected)).toEqual({ ok: true, value: true });
});

test('what is remembered of a chain is not used for another one', async () => {
  const { prove } = createHeaderProofs(async () => {});
  const other = [...long.slice(0, 3_000), ...makeHashes(4_000, 1)];
  for (const hashes of [long, other, long]) {
    const { root } = await prove(viewOf(hashes), 10, 6_500);
    expect(root).toBe(toDisplayHash(merkleRoot(hashes.slice(0, 6_501))));
  }
});
