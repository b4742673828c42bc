import { scryptSync } from 'node:crypto';
import { blockHashOf, serializeBlock, serializeHeader } from '@coinfront/protocol/block.ts';
import { bytesToHex, concatBytes, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { sha256d } from '@coinfront/protocol/hash.ts';
import { merkleRoot } from '@coinfront/protocol/merkle.ts';
import { type Transaction, type TxOutput, txidOf, wtxidOf } from '@coinfront/protocol/transaction.ts';

/** What a block of regtest is made of. */
export type BlockPlan = {
  readonly height: number;
  readonly version: number;
  readonly prevHash: Uint8Array;
  /** Unix seconds. */
  readonly time: number;
  readonly bits: number;
  /** What the coinbase pays. */
  readonly payouts: readonly TxOutput[];
  /** What a pool writes into its coinbases; may be empty. */
  readonly tag: string;
  /** Behind the coinbase, in their order. */
  readonly transactions: readonly Transaction[];
  /** Whether the proof of work is scrypt; else it is SHA-256 twice. */
  readonly worksByScrypt: boolean;
};

/** What a witness commitment begins with (BIP-141): OP_RETURN, 36 bytes, `aa21a9ed`. */
const COMMITMENT = getHexBytes('6a24aa21a9ed');
const NO_HASH = new Uint8Array(32);

/** Makes a block with enough work for regtest, where every second hash will do; gives its bytes in hex and its hash. */
export function makeBlock(plan: BlockPlan): { hex: string; hash: string } {
  const witnessRoot = merkleRoot([NO_HASH, ...plan.transactions.map(wtxidOf)]);
  const commitment = concatBytes(COMMITMENT, sha256d(concatBytes(witnessRoot, NO_HASH)));
  const coinbase: Transaction = {
    version: 2,
    inputs: [
      {
        prevTxid: NO_HASH,
        prevVout: 0xffff_ffff,
        scriptSig: concatBytes(heightScript(plan.height), pushText(plan.tag)),
        sequence: 0xffff_ffff,
        witness: [NO_HASH],
      },
    ],
    outputs: [...plan.payouts, { value: 0n, script: commitment }],
    locktime: 0,
    hasWitness: true,
    mweb: undefined,
  };
  const transactions = [coinbase, ...plan.transactions];
  const header = {
    version: plan.version,
    prevHash: plan.prevHash,
    merkleRoot: merkleRoot(transactions.map(txidOf)),
    time: plan.time,
    bits: plan.bits,
    nonce: 0,
  };
  while (!hasWork(serializeHeader(header), plan.worksByScrypt)) header.nonce += 1;
  const headerBytes = serializeHeader(header);
  const block = serializeBlock({
    header,
    headerBytes,
    auxpow: undefined,
    transactions,
    extension: undefined,
  });
  return { hex: bytesToHex(block), hash: toDisplayHash(blockHashOf(headerBytes)) };
}

/** The height that a coinbase begins with (BIP-34), as its shortest push. */
function heightScript(height: number): Uint8Array {
  if (height <= 16) return Uint8Array.of(0x50 + height);
  const bytes: number[] = [];
  for (let left = height; left > 0; left = Math.floor(left / 256)) bytes.push(left & 0xff);
  // The highest bit is the sign.
  if (bytes.at(-1)! >= 0x80) bytes.push(0);
  return Uint8Array.of(bytes.length, ...bytes);
}

function pushText(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length === 0 ? bytes : Uint8Array.of(bytes.length, ...bytes);
}

function hasWork(header: Uint8Array, worksByScrypt: boolean): boolean {
  const hash = worksByScrypt ? scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 }) : sha256d(header);
  return hash[31]! < 0x7f;
}
