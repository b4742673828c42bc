import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHeader } from '../block.ts';
import { bytesToHex, concatBytes, getHexBytes } from '../bytes.ts';
import { merkleBranch, merkleRoot } from '../merkle.ts';
import { anchorScript } from '../proofs/anchor.ts';
import { getValue } from '../result.ts';
import { hashLeaf, inclusionPath, rootOfLeaves } from '../signed-log/merkle-tree.ts';
import { p2wpkhOwner, shapedTransaction } from '../testing/spends.ts';
import { serializeTransaction, txidOf } from '../transaction.ts';
import { exportOts } from './export-ots.ts';
import { parseOts } from './parse-ots.ts';

const MARKER = getHexBytes('56504631');
const GENESIS = '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2';

test('what is exported attests the merkle root of the block, for every leaf of every tree', () => {
  const owner = p2wpkhOwner(1);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40 }),
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(),
      (size, chosen, count, place) => {
        const digests = Array.from({ length: size }, (_, i) => new Uint8Array(32).fill(i + 1));
        const leaves = digests.map(hashLeaf);
        const digest = size === 0 ? new Uint8Array(32).fill(200) : digests[chosen % size]!;
        const root = size === 0 ? digest : rootOfLeaves(leaves);
        const position = place % count;
        const txs = Array.from({ length: count }, (_, i) =>
          shapedTransaction(
            owner.spend(),
            [
              { value: 5n, script: owner.script },
              { value: 0n, script: i === position ? anchorScript(root, MARKER) : owner.script },
            ],
            0x4000 + i,
          ),
        );
        const txids = txs.map(txidOf);
        const written = exportOts({
          digest,
          place:
            size === 0
              ? undefined
              : { index: chosen % size, size, path: inclusionPath(leaves, chosen % size), root },
          anchor: {
            rawTx: serializeTransaction(txs[position]!, { witness: true }),
            position,
            branch: merkleBranch(txids, position),
          },
          height: 812_340,
          genesisHash: GENESIS,
          marker: MARKER,
        });
        const { file, attested } = getValue(parseOts(written!));
        expect(file.digest).toEqual(digest);
        expect(attested).toHaveLength(1);
        expect(attested[0]!.attestation).toEqual({ kind: 'block', tag: '06869a0d73d71b45', height: 812_340 });
        expect(bytesToHex(attested[0]!.message)).toBe(bytesToHex(merkleRoot(txids)));
      },
    ),
    { numRuns: 60 },
  );
});

test('the files of the vectors are what is exported, and attest the root of their header', () => {
  const file = new URL('../../docs/protocols/vectors/proofs.json', import.meta.url);
  const { tree } = JSON.parse(readFileSync(file, 'utf8'));
  const { merkleRoot: root } = getValue(parseHeader(getHexBytes(tree.anchor.header)));
  expect(tree.ots.length).toBeGreaterThan(0);
  for (const { genesis_hash: genesis, tag, height, file: hex } of tree.ots) {
    const { attested } = getValue(parseOts(getHexBytes(hex), tag));
    expect(attested).toEqual([{ attestation: { kind: 'block', tag, height }, message: root }]);
    const { index, size, path, digest } = tree.leaves[2];
    const again = exportOts({
      digest: getHexBytes(digest),
      place: { index, size, path: path.map(getHexBytes), root: getHexBytes(tree.leaves[2].root) },
      anchor: {
        rawTx: getHexBytes(tree.anchor.raw_tx),
        position: tree.anchor.position,
        branch: tree.anchor.branch.map(getHexBytes),
      },
      height,
      genesisHash: genesis,
      marker: MARKER,
    });
    expect(bytesToHex(again!)).toBe(hex);
  }
});

test('a transaction that is too long for a message, or anchors another digest, has no file', () => {
  const owner = p2wpkhOwner(1);
  const digest = new Uint8Array(32).fill(7);
  const anchor = (script: Uint8Array) => ({
    rawTx: serializeTransaction(
      shapedTransaction(
        owner.spend(),
        [
          { value: 0n, script },
          { value: 0n, script: new Uint8Array(4_000) },
        ],
        1,
      ),
      { witness: false },
    ),
    position: 0,
    branch: [],
  });
  const common = { digest, place: undefined, height: 1, genesisHash: GENESIS, marker: MARKER };
  const fits = anchor(anchorScript(digest, MARKER));
  const other = anchor(anchorScript(new Uint8Array(32), MARKER));
  expect(exportOts({ ...common, anchor: other })).toBeUndefined();
  const long = concatBytes(fits.rawTx);
  expect(exportOts({ ...common, anchor: fits }) === undefined).toBe(long.length > 4_096);
});
