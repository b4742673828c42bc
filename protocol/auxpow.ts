import { blockHashOf, HEADER_BYTES, parseHeader } from './block.ts';
import { concatBytes, equalBytes } from './bytes.ts';
import { sha256d } from './hash.ts';
import { isAmbiguousMerkleLeaf, verifyMerkleBranch } from './merkle.ts';
import { type ByteReader, createReader } from './reader.ts';
import { isCoinbase, readTransaction, txidOf } from './transaction.ts';

/** Announces, in the script of a parent's coinbase, the root of the blocks that it is mined for. */
const MAGIC = Uint8Array.of(0xfa, 0xbe, 0x6d, 0x6d);
/** Without the announcement the root has to begin within so many bytes. */
const UNANNOUNCED_WITHIN = 20;
/** Steps of the branch to that root, and of any branch. */
const MOST_CHAIN_STEPS = 30;
const MOST_STEPS = 64;
const ROOT_BYTES = 32;
/** No chain's coinbase has a longer script. */
const MOST_SCRIPT_BYTES = 100;

type Branch = { steps: Uint8Array[]; index: number };

/**
 * The header whose work a merged-mined block has: that of a block of another chain whose coinbase names the block, by the rules of
 * Namecoin and Dogecoin. Whether the header meets the target of the block is another question (`hasProofOfWork`).
 *
 * A parent names one block of a chain at most: the place in the tree of its blocks follows from the chain's id, which is that of the
 * header's version.
 *
 * @param header 80 bytes of the merged-mined block
 * @param proof what stands behind it on the wire
 * @returns undefined where the proof is none of this block
 */
export function findParentHeader(header: Uint8Array, proof: Uint8Array): Uint8Array | undefined {
  const reader = createReader(proof);
  const coinbase = readTransaction(reader);
  if (!coinbase.ok || isAmbiguousMerkleLeaf(reader.position)) return undefined;
  // A hash of the parent, which says nothing that its header does not.
  reader.slice(32);
  const branch = readBranch(reader, MOST_STEPS);
  const chainBranch = readBranch(reader, MOST_CHAIN_STEPS);
  const parentBytes = reader.slice(HEADER_BYTES);
  if (!branch || !chainBranch || reader.failure !== undefined || reader.remaining > 0) return undefined;
  const parent = parseHeader(parentBytes);
  if (!parent.ok || !isCoinbase(coinbase.value) || branch.index !== 0) return undefined;
  const { merkleRoot } = parent.value;
  if (!verifyMerkleBranch(txidOf(coinbase.value), branch.steps, 0, merkleRoot).ok) return undefined;
  const root = climb(blockHashOf(header), chainBranch).reverse();
  const commitment = findCommitment(coinbase.value.inputs[0]!.scriptSig, root);
  if (commitment === undefined || commitment.size !== 2 ** chainBranch.steps.length) return undefined;
  const chainId = new DataView(header.buffer, header.byteOffset).getUint32(0, true) >>> 16;
  const place = placeOf(commitment.nonce, chainId, chainBranch.steps.length);
  return chainBranch.index === place ? new Uint8Array(parentBytes) : undefined;
}

function readBranch(reader: ByteReader, most: number): Branch | undefined {
  const length = reader.count(32);
  if (length > most) return undefined;
  const steps = Array.from({ length }, () => reader.slice(32));
  return { steps, index: reader.u32() };
}

function climb(leaf: Uint8Array, { steps, index }: Branch): Uint8Array {
  return steps.reduce(
    (hash, step, level) => sha256d((index >>> level) & 1 ? concatBytes(step, hash) : concatBytes(hash, step)),
    leaf,
  );
}

/** What follows the root in a coinbase: how many places the tree has, and the nonce that they are drawn by. */
function findCommitment(script: Uint8Array, root: Uint8Array): { size: number; nonce: number } | undefined {
  if (script.length > MOST_SCRIPT_BYTES) return undefined;
  const at = indexOf(script, root);
  const announced = indexOf(script, MAGIC);
  if (at < 0) return undefined;
  const isAnnounced = announced >= 0;
  if (isAnnounced && (announced + MAGIC.length !== at || indexOf(script, MAGIC, announced + 1) >= 0))
    return undefined;
  if (!isAnnounced && at > UNANNOUNCED_WITHIN) return undefined;
  const rest = script.subarray(at + ROOT_BYTES);
  if (rest.length < 8) return undefined;
  const view = new DataView(rest.buffer, rest.byteOffset);
  return { size: view.getUint32(0, true), nonce: view.getUint32(4, true) };
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from = 0): number {
  for (let at = from; at + wanted.length <= bytes.length; at++) {
    if (equalBytes(bytes.subarray(at, at + wanted.length), wanted)) return at;
  }
  return -1;
}

/** The place of a chain among the blocks that a parent is mined for. */
function placeOf(nonce: number, chainId: number, height: number): number {
  const step = (value: number): number => (Math.imul(value, 1_103_515_245) + 12_345) >>> 0;
  return step((step(nonce) + chainId) >>> 0) % 2 ** height;
}
