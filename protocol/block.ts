import { sha256d } from './hash.ts';
import { type ByteReader, createReader } from './reader.ts';
import { fail, ok, type Result } from './result.ts';
import { isHogEx, readTransaction, type Transaction, writeTransaction } from './transaction.ts';
import { createWriter } from './writer.ts';

/** Bytes of a block header without merged-mining proof: what the block hash is made of. */
export const HEADER_BYTES = 80;

/** Version, lock time, two counts, one input: no transaction is shorter. */
const MIN_TRANSACTION_BYTES = 51;

/** Bit of a block header's version that says that a merged-mining proof (AuxPoW) follows the header. */
export const AUXPOW_VERSION_BIT = 0x100;

/** Parent chains have merkle trees far below this depth; longer branches are refused. */
const MAX_BRANCH_LENGTH = 64;

/** The 80-byte header. Hashes are in internal byte order, `time` in seconds since 1970, `bits` the compact target. */
export type BlockHeader = {
  version: number;
  prevHash: Uint8Array;
  merkleRoot: Uint8Array;
  time: number;
  bits: number;
  nonce: number;
};

/** A block as it is on the wire. Byte arrays are views on the parsed input. */
export type Block = {
  header: BlockHeader;
  headerBytes: Uint8Array;
  /** The merged-mining proof after the header, unread. */
  auxpow: Uint8Array | undefined;
  transactions: Transaction[];
  /** Litecoin's extension block (MWEB) after the last transaction, unread. */
  extension: Uint8Array | undefined;
};

/** Reads a header of exactly 80 bytes. */
export function parseHeader(bytes: Uint8Array): Result<BlockHeader> {
  if (bytes.length !== HEADER_BYTES)
    return fail(`a block header has ${HEADER_BYTES} bytes, received ${bytes.length}`);
  return ok(readHeader(createReader(bytes)));
}

function readHeader(reader: ByteReader): BlockHeader {
  return {
    version: reader.i32(),
    prevHash: reader.slice(32),
    merkleRoot: reader.slice(32),
    time: reader.u32(),
    bits: reader.u32(),
    nonce: reader.u32(),
  };
}

/** The 80 bytes of a header. */
export function serializeHeader(header: BlockHeader): Uint8Array {
  const writer = createWriter(HEADER_BYTES);
  writer.i32(header.version);
  writer.bytes(header.prevHash);
  writer.bytes(header.merkleRoot);
  writer.u32(header.time);
  writer.u32(header.bits);
  writer.u32(header.nonce);
  return writer.finish();
}

/** The block hash in internal byte order: double SHA-256 of the 80 header bytes. */
export function blockHashOf(headerBytes: Uint8Array): Uint8Array {
  return sha256d(headerBytes.subarray(0, HEADER_BYTES));
}

/**
 * Reads one block that fills the whole buffer. `auxpow` says whether the coin is merged-mined: only then does
 * the version bit announce a proof. Bytes after the last transaction are taken as Litecoin's extension block
 * when that transaction is a HogEx, and refused otherwise. Consensus rules are not checked.
 */
export function parseBlock(bytes: Uint8Array, { auxpow }: { auxpow: boolean }): Result<Block> {
  const reader = createReader(bytes);
  const header = readHeader(reader);
  let proof: Uint8Array | undefined;
  if (auxpow && (header.version & AUXPOW_VERSION_BIT) !== 0) {
    readAuxpow(reader);
    proof = bytes.subarray(HEADER_BYTES, reader.position);
  }
  const count = reader.count(MIN_TRANSACTION_BYTES);
  if (reader.failure !== undefined) return fail(reader.failure);
  if (count === 0) return fail('block has no transactions');

  const transactions: Transaction[] = [];
  for (let i = 0; i < count; i++) {
    const tx = readTransaction(reader);
    if (!tx.ok) return fail(`transaction ${i} of ${count}: ${tx.reason}`);
    transactions.push(tx.value);
  }
  const extension = readExtension(reader, transactions);
  if (reader.failure !== undefined) return fail(reader.failure);
  return ok({ header, headerBytes: bytes.subarray(0, HEADER_BYTES), auxpow: proof, transactions, extension });
}

function readExtension(reader: ByteReader, transactions: Transaction[]): Uint8Array | undefined {
  if (transactions.length < 2 || !isHogEx(transactions.at(-1)!)) {
    if (reader.remaining > 0) reader.reject(`block is followed by ${reader.remaining} more bytes`);
    return undefined;
  }
  const extension = reader.slice(reader.remaining);
  const isNull = extension.length === 1 && extension[0] === 0;
  const isPresent = extension.length > 1 && extension[0] === 1;
  if (!isNull && !isPresent) reader.reject('extension block is malformed');
  return extension;
}

/** The bytes of a block; `serializeBlock(parseBlock(bytes))` gives the same bytes. */
export function serializeBlock(block: Block): Uint8Array {
  const writer = createWriter(1 << 16);
  writer.bytes(block.headerBytes);
  if (block.auxpow) writer.bytes(block.auxpow);
  writer.compactSize(block.transactions.length);
  for (const tx of block.transactions) writeTransaction(writer, tx, { witness: true });
  if (block.extension) writer.bytes(block.extension);
  return writer.finish();
}

/**
 * Steps over the merged-mining proof that stands after an 80-byte header, as Namecoin and Dogecoin write it:
 * the parent's coinbase transaction, its block hash, branch and index, the chain branch and index, and the
 * parent header. Answers the offset of what follows. Nothing of it is verified: the node did.
 */
export function skipAuxpow(bytes: Uint8Array, offset: number): Result<number> {
  const reader = createReader(bytes, offset);
  return readAuxpow(reader)
    ? ok(reader.position)
    : fail(reader.failure ?? 'merged-mining proof is malformed');
}

/** Moves the reader over a merged-mining proof; false, with the reader's failure set, when it is malformed. */
function readAuxpow(reader: ByteReader): boolean {
  const coinbase = readTransaction(reader);
  if (!coinbase.ok) {
    reader.reject(`merged-mining coinbase: ${coinbase.reason}`);
    return false;
  }
  reader.slice(32);
  skipBranch(reader);
  skipBranch(reader);
  reader.slice(80);
  return reader.failure === undefined;
}

function skipBranch(reader: ByteReader): void {
  const length = reader.count(32);
  if (length > MAX_BRANCH_LENGTH) reader.reject(`merged-mining branch has ${length} steps`);
  reader.slice(length * 32);
  reader.u32();
}
