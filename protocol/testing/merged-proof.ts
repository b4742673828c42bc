/** Proofs of merged mining as tests need them: of a parent with one more transaction, mined for two chains. */

import { blockHashOf } from '../block.ts';
import { concatBytes, getHexBytes } from '../bytes.ts';
import { sha256d } from '../hash.ts';
import { serializeTransaction, type Transaction, txidOf } from '../transaction.ts';

const CHAIN_ID = 0x62;
/** Announces the root of a parent's blocks, hex. */
export const MAGIC = 'fabe6d6d';

/** A header of the chain: version 4 with the bit of merged mining. */
export function makeMergedHeader(chainId = CHAIN_ID, seed = 7): Uint8Array {
  const header = new Uint8Array(80).fill(seed);
  new DataView(header.buffer).setUint32(0, (chainId << 16) | 0x104, true);
  return header;
}

/** Four bytes, the lowest first. */
export const u32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
};

/** What a proof is made of, and what may be wrong in it. */
export type MergedProofParts = {
  header: Uint8Array;
  script: (root: Uint8Array) => Uint8Array;
  isCoinbase: boolean;
  index: number;
  siblings: Uint8Array[];
  place: number;
  nonce: number;
};

/** A proof whose parent has one more transaction, mined for two chains. */
export function makeMergedProof(parts: Partial<MergedProofParts> = {}): {
  header: Uint8Array;
  proof: Uint8Array;
  parent: Uint8Array;
} {
  const { header = makeMergedHeader(), isCoinbase = true, index = 0, place = 1 } = parts;
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
    locktime: 0,
    hasWitness: false,
    mweb: undefined,
  };
  const other = new Uint8Array(32).fill(5);
  const parent = new Uint8Array(80).fill(8);
  new DataView(parent.buffer).setUint32(76, parts.nonce ?? 0, true);
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
