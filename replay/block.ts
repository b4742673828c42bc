import { doubleSha256, isEqual, Unreadable } from './bytes.ts';
import { createReader, type Reader } from './reader.ts';
import { isCoinbase, readTransaction, type Transaction } from './transaction.ts';

/** A block whose transactions are those that its header names. Hashes are in internal byte order. */
export type Block = {
  readonly hash: Uint8Array;
  readonly prevHash: Uint8Array;
  readonly txs: readonly Transaction[];
};

const HEADER_BYTES = 80;
const LEAST_TRANSACTION = 10;
/** Bit of a header's version: a proof of merged mining follows the header. */
const AUXPOW = 0x100;
/** What the script of an output begins with that commits to the witnesses of a block (BIP-141). */
const COMMITMENT = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed);
const COMMITMENT_BYTES = 38;

/**
 * Reads a block and checks that header, transactions and witnesses belong together. Its work is not judged.
 *
 * @param auxpow - whether headers of the coin may have proofs of merged mining
 * @throws Unreadable
 */
export function parseBlock(raw: Uint8Array, { auxpow }: { auxpow: boolean }): Block {
  const reader = createReader(raw);
  const header = reader.bytes(HEADER_BYTES);
  const version = new DataView(header.buffer, header.byteOffset, 4).getUint32(0, true);
  if (auxpow && (version & AUXPOW) !== 0) skipAuxpow(reader);
  const txs = Array.from({ length: reader.count(LEAST_TRANSACTION) }, () => readTransaction(reader));
  // Litecoin's extension block follows a HogEx; the protocols do not look at it.
  if (reader.left() > 0 && txs.at(-1)?.isHogEx !== true) throw new Unreadable('bytes behind a block');
  // An inner level of the tree in the place of the transactions would have no coinbase.
  if (txs.length === 0 || !isCoinbase(txs[0]!)) throw new Unreadable('a block without a coinbase');
  const root = findMerkleRoot(txs.map(({ txid }) => txid));
  if (!isEqual(root, header.subarray(36, 68)))
    throw new Unreadable('the merkle root is not that of the header');
  checkWitnesses(txs);
  return { hash: doubleSha256(header), prevHash: header.subarray(4, 36), txs };
}

/** The root over hashes, an odd last one taken twice. @throws Unreadable where two equal ones would hide a copy. */
export function findMerkleRoot(hashes: readonly Uint8Array[]): Uint8Array {
  let level = hashes;
  while (level.length > 1) {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i]!, level[i + 1]];
      if (right !== undefined && isEqual(left, right))
        throw new Unreadable('a block with transactions twice');
      next.push(doubleSha256(left, right ?? left));
    }
    level = next;
  }
  return level[0]!;
}

/** Witnesses are in no txid: without this, whoever serves a block could change who signed how. */
function checkWitnesses(txs: readonly Transaction[]): void {
  const coinbase = txs[0]!;
  const commitment = coinbase.outputs.findLast(
    ({ script }) => script.length >= COMMITMENT_BYTES && isEqual(script.subarray(0, 6), COMMITMENT),
  );
  if (commitment === undefined) {
    if (txs.some(({ hasWitness }) => hasWitness))
      throw new Unreadable('witnesses that the block does not name');
    return;
  }
  const zeros = new Uint8Array(32);
  const root = findMerkleRoot([zeros, ...txs.slice(1).map(({ wtxid }) => wtxid)]);
  const named = doubleSha256(root, coinbase.inputs[0]!.witness[0] ?? zeros);
  if (!isEqual(named, commitment.script.subarray(6, COMMITMENT_BYTES)))
    throw new Unreadable('the witnesses are not those that the block names');
}

function skipAuxpow(reader: Reader): void {
  readTransaction(reader);
  reader.bytes(32);
  for (let branch = 0; branch < 2; branch++) {
    reader.bytes(32 * reader.count(32));
    reader.u32();
  }
  reader.bytes(HEADER_BYTES);
}
