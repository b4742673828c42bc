import { blockHashOf, serializeHeader } from '@coinfront/protocol/block.ts';
import { bytesToHex, concatBytes, getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { sha256d } from '@coinfront/protocol/hash.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { serializeTransaction, type Transaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import type { TestNode } from '../harness/litecoind.ts';

/** What stands before the root of the merged chains in the parent's coinbase. */
const MERGED_MINING_MARK = getHexBytes('fabe6d6d');
const NO_HASH = new Uint8Array(32);

export type ParentShape = {
  /** Steps from our block to the root of all chains that the parent's miner mines. */
  readonly chainSteps: number;
  /** Steps from the parent's coinbase to its merkle root. */
  readonly coinbaseSteps: number;
  /** Whether the parent's coinbase is written with its witness. */
  readonly witness: boolean;
};

/** Mines one block in the block of a made-up parent chain, as a merged miner does. Gives its hash. */
export async function mineMerged(
  node: Pick<TestNode, 'rpc'>,
  address: string,
  shape: ParentShape,
): Promise<string> {
  const { hash, chainid } = await node.rpc<{ hash: string; chainid: number }>('createauxblock', address);
  const slot = slotOf(chainid, shape.chainSteps);
  const chainBranch = makeBranch(shape.chainSteps, 1);
  const root = climb(getValue(parseDisplayHash(hash)), chainBranch, slot).toReversed();
  const coinbase = makeCoinbase(root, shape);
  const coinbaseBranch = makeBranch(shape.coinbaseSteps, 101);
  const parent = mineParent(climb(txidOf(coinbase), coinbaseBranch, 0));

  const writer = createWriter(1024);
  writer.bytes(serializeTransaction(coinbase, { witness: shape.witness }));
  writer.bytes(blockHashOf(parent));
  writeBranch(writer, coinbaseBranch, 0);
  writeBranch(writer, chainBranch, slot);
  writer.bytes(parent);
  const isTaken = await node.rpc<boolean>('submitauxblock', hash, bytesToHex(writer.finish()));
  if (!isTaken) throw new Error(`The node refused the merged-mined block ${hash}.`);
  return hash;
}

/** Each chain has one place among 2^steps, so that no work counts twice for it. The nonce is 0. */
function slotOf(chainId: number, steps: number): number {
  const size = 1n << BigInt(steps);
  const next = (value: bigint) => (value * 1103515245n + 12345n) % size;
  return Number(next(next(0n) + BigInt(chainId)));
}

function makeBranch(steps: number, first: number): Uint8Array[] {
  return Array.from({ length: steps }, (_, step) => new Uint8Array(32).fill(first + step));
}

function climb(leaf: Uint8Array, branch: readonly Uint8Array[], index: number): Uint8Array {
  return branch.reduce(
    (hash, sibling, step) =>
      sha256d((index >> step) & 1 ? concatBytes(sibling, hash) : concatBytes(hash, sibling)),
    leaf,
  );
}

function makeCoinbase(root: Uint8Array, { chainSteps, witness }: ParentShape): Transaction {
  const sizeAndNonce = createWriter(8);
  sizeAndNonce.u32(2 ** chainSteps);
  sizeAndNonce.u32(0);
  const input = {
    prevTxid: NO_HASH,
    prevVout: 0xffff_ffff,
    scriptSig: concatBytes(Uint8Array.of(1, 42), MERGED_MINING_MARK, root, sizeAndNonce.finish()),
    sequence: 0xffff_ffff,
    witness: witness ? [NO_HASH] : [],
  };
  const outputs = [{ value: 5_000_000_000n, script: Uint8Array.of(0x51) }];
  return { version: 1, inputs: [input], outputs, locktime: 0, hasWitness: witness, mweb: undefined };
}

function mineParent(merkleRoot: Uint8Array): Uint8Array {
  const header = {
    version: 1,
    prevHash: NO_HASH,
    merkleRoot,
    time: 1_300_000_000,
    bits: 0x207f_ffff,
    nonce: 0,
  };
  while (sha256d(serializeHeader(header))[31]! >= 0x7f) header.nonce += 1;
  return serializeHeader(header);
}

function writeBranch(
  writer: ReturnType<typeof createWriter>,
  branch: readonly Uint8Array[],
  index: number,
): void {
  writer.compactSize(branch.length);
  for (const hash of branch) writer.bytes(hash);
  writer.u32(index);
}
