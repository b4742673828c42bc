import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, getHexBytes } from '../../bytes.ts';
import {
  digestOfHead,
  logKey,
  logOrigin,
  signCheckpoint,
  writeHeadText,
} from '../../signed-log/checkpoint.ts';
import { cosign, witnessKey, witnessName } from '../../signed-log/cosignature.ts';
import { writeEntryBundle } from '../../signed-log/entry-bundle.ts';
import {
  joinSubtrees,
  type LeafRange,
  listConsistencyRanges,
  listInclusionRanges,
  splitIntoSubtrees,
} from '../../signed-log/merkle-ranges.ts';
import { hashLeaf, rootOfLeaves } from '../../signed-log/merkle-tree.ts';
import { writeVerifierKey } from '../../signed-log/note.ts';
import { TILE_WIDTH, type Tile, writeTilePath } from '../../signed-log/tiles.ts';
import { writeWitnessRequest } from '../../signed-log/witness-request.ts';

const logSeed = new Uint8Array(32).fill(7);
const witnessSeed = new Uint8Array(32).fill(8);
const keyOf = (seed: Uint8Array) => bytesToHex(ed25519.getPublicKey(seed));
const signWith = (seed: Uint8Array) => (text: string) => ed25519.sign(new TextEncoder().encode(text), seed);

const SIZE = 9;
const entries = Array.from({ length: SIZE }, (_, i) => new TextEncoder().encode(`entry ${i}`));
const leaves = entries.map(hashLeaf);

function rootOf(range: LeafRange): string {
  const subtrees = splitIntoSubtrees(range).map(({ level, index }) =>
    rootOfLeaves(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
  );
  return bytesToHex(joinSubtrees(subtrees));
}

/** Vectors of signed logs; the seeds of the keys are 32 bytes 07 (log) and 08 (witness). */
export function makeSignedLogVectors(): unknown {
  const [publicKey, witness] = [keyOf(logSeed), keyOf(witnessSeed)];
  const origin = logOrigin('node-registry', publicKey);
  const checkpoints = [6, SIZE].map((size) =>
    signCheckpoint({ origin, size, root: rootOfLeaves(leaves.slice(0, size)) }, publicKey, signWith(logSeed)),
  );
  const newest = checkpoints[1]!;
  const name = witnessName(witness);
  const timeSeconds = 1_795_176_000;
  const text = writeHeadText(newest);
  const tiles: Tile[] = [
    { level: 0, index: 0, width: 9 },
    { level: 'entries', index: 0, width: 9 },
    { level: 0, index: 999, width: TILE_WIDTH },
    { level: 1, index: 1_234_067, width: TILE_WIDTH },
    { level: 2, index: 1_000, width: 1 },
  ];
  return {
    entries: entries.map(bytesToHex),
    leaves: leaves.map(bytesToHex),
    roots: [...leaves.keys(), SIZE].map((size) => bytesToHex(rootOfLeaves(leaves.slice(0, size)))),
    inclusion: entries.map((_, index) => ({
      index,
      size: SIZE,
      path: listInclusionRanges(index, SIZE).map(rootOf),
    })),
    consistency: [...leaves.keys(), SIZE].map((from) => ({
      from,
      to: SIZE,
      path: listConsistencyRanges(from, SIZE).map(rootOf),
    })),
    origin,
    verifier_key: writeVerifierKey(logKey(origin, publicKey)),
    checkpoints: checkpoints.map((each) => ({
      size: each.size,
      note: each.note,
      anchored_digest: digestOfHead(each),
    })),
    witness: {
      name,
      verifier_key: writeVerifierKey(witnessKey(name, witness)),
      time: timeSeconds,
      signature_line: cosign(text, { name, publicKey: witness, timeSeconds }, signWith(witnessSeed)),
      request: writeWitnessRequest({
        oldSize: 6,
        path: listConsistencyRanges(6, SIZE).map((range) => getHexBytes(rootOf(range))),
        note: newest.note,
      }),
    },
    tiles: tiles.map((tile) => ({ ...tile, path: writeTilePath(tile) })),
    bundle: bytesToHex(writeEntryBundle(entries)),
  };
}
