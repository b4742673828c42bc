import { sha256d } from './hash.ts';
import { type ByteReader, createReader } from './reader.ts';
import { fail, ok, type Result } from './result.ts';
import { type ByteWriter, compactSizeBytes, createWriter } from './writer.ts';

/** One input. `prevTxid` is in internal byte order; the witness is empty when there is none. */
export type TxInput = {
  prevTxid: Uint8Array;
  prevVout: number;
  scriptSig: Uint8Array;
  sequence: number;
  witness: Uint8Array[];
};

/** One output; `value` in base units, as unsigned as the wire has it. */
export type TxOutput = { value: bigint; script: Uint8Array };

/** A transaction as it is on the wire (BIP-144). Byte arrays are views on the parsed input. */
export type Transaction = {
  /** Unsigned 32 bits, as nodes show it. */
  version: number;
  inputs: TxInput[];
  outputs: TxOutput[];
  locktime: number;
  /** Whether any input has a witness, thus whether the witness encoding is used. */
  hasWitness: boolean;
  /**
   * Litecoin's MWEB part (flag 0x08), kept unread, without the locktime after it: the single byte 00 in the
   * integrating transaction of a block (HogEx), longer in transactions that await one.
   */
  mweb: Uint8Array | undefined;
};

const FLAG_WITNESS = 0x01;
const FLAG_MWEB = 0x08;
const NULL_PREVOUT_INDEX = 0xffffffff;

/** 32 + 4 + 1 + 4: outpoint, empty scriptSig, sequence. */
const MIN_INPUT_BYTES = 41;
/** 8 + 1: value, empty script. */
const MIN_OUTPUT_BYTES = 9;

/** Reads exactly one transaction that fills the whole buffer. */
export function parseTransaction(bytes: Uint8Array): Result<Transaction> {
  const reader = createReader(bytes);
  const tx = readTransaction(reader, { fillsInput: true });
  if (!tx.ok) return tx;
  if (reader.remaining > 0) return fail(`transaction is followed by ${reader.remaining} more bytes`);
  return tx;
}

/** How {@link readTransaction} reads; `readWitnesses` is given the inputs where their witnesses begin. */
export type TransactionReading = {
  fillsInput?: boolean;
  readWitnesses?: (inputs: TxInput[]) => void;
};

/**
 * Reads one transaction from where the reader stands. Refused, as by Core: a witness encoding without any
 * witness, unknown flags. Refused also: no inputs (an MWEB-only transaction has an id that only the extension
 * knows). An MWEB part that is not null has no length of its own: it is read only when the transaction
 * `fillsInput` to its end; in blocks it does not occur.
 */
export function readTransaction(
  reader: ByteReader,
  {
    fillsInput = false,
    readWitnesses = (inputs) => readAllWitnesses(reader, inputs),
  }: TransactionReading = {},
): Result<Transaction> {
  const version = reader.u32();
  let flags = 0;
  let inputCount = reader.count(MIN_INPUT_BYTES);
  if (inputCount === 0) {
    flags = reader.u8();
    if (flags === 0) reader.reject('transaction has no inputs');
    if ((flags & ~(FLAG_WITNESS | FLAG_MWEB)) !== 0) reader.reject(`transaction has unknown flags ${flags}`);
    inputCount = reader.count(MIN_INPUT_BYTES);
    if (inputCount === 0) reader.reject('transaction has no inputs');
  }
  if (reader.failure !== undefined) return fail(reader.failure);

  const inputs = readInputs(reader, inputCount);
  const outputs = readOutputs(reader);
  const hasWitness = (flags & FLAG_WITNESS) !== 0;
  if (hasWitness) readWitnesses(inputs);
  const mweb = (flags & FLAG_MWEB) !== 0 ? readMweb(reader, outputs.length, fillsInput) : undefined;
  const locktime = reader.u32();
  if (reader.failure !== undefined) return fail(reader.failure);
  return ok({ version, inputs, outputs, locktime, hasWitness, mweb });
}

function readInputs(reader: ByteReader, count: number): TxInput[] {
  const inputs: TxInput[] = [];
  for (let i = 0; i < count && reader.failure === undefined; i++) {
    const prevTxid = reader.slice(32);
    const prevVout = reader.u32();
    const scriptSig = reader.varSlice();
    inputs.push({ prevTxid, prevVout, scriptSig, sequence: reader.u32(), witness: [] });
  }
  return inputs;
}

function readOutputs(reader: ByteReader): TxOutput[] {
  const count = reader.count(MIN_OUTPUT_BYTES);
  const outputs: TxOutput[] = [];
  for (let i = 0; i < count && reader.failure === undefined; i++) {
    const value = reader.u64();
    outputs.push({ value, script: reader.varSlice() });
  }
  return outputs;
}

function readAllWitnesses(reader: ByteReader, inputs: TxInput[]): void {
  let items = 0;
  for (const input of inputs) {
    const count = reader.count(1);
    for (let i = 0; i < count && reader.failure === undefined; i++) input.witness.push(reader.varSlice());
    items += count;
  }
  if (items === 0) reader.reject('transaction has a superfluous witness record');
}

function readMweb(reader: ByteReader, outputCount: number, fillsInput: boolean): Uint8Array {
  const start = reader.position;
  const present = reader.u8();
  if (present > 1) reader.reject(`MWEB part begins with ${present}`);
  if (present === 0 && outputCount === 0) reader.reject('MWEB integrating transaction has no outputs');
  if (present === 1) {
    if (fillsInput && reader.remaining > 4) reader.slice(reader.remaining - 4);
    else reader.reject('MWEB part has no known end');
  }
  return reader.bytes.subarray(start, reader.position);
}

/** Which parts to write beside the common ones; `mweb` follows `witness` when it is not given. */
export type TransactionParts = { witness: boolean; mweb?: boolean };

/**
 * The bytes of a transaction. With `witness` the full encoding: witnesses where there are any, and the MWEB
 * part; without it the stripped one, which txids are made of.
 */
export function serializeTransaction(tx: Transaction, parts: TransactionParts): Uint8Array {
  const writer = createWriter(512);
  writeTransaction(writer, tx, parts);
  return writer.finish();
}

/** Writes what {@link serializeTransaction} returns. */
export function writeTransaction(
  writer: ByteWriter,
  tx: Transaction,
  { witness, mweb = witness }: TransactionParts,
): void {
  const flags = (witness && tx.hasWitness ? FLAG_WITNESS : 0) | (mweb && tx.mweb ? FLAG_MWEB : 0);
  writer.u32(tx.version);
  if (flags !== 0) {
    writer.u8(0);
    writer.u8(flags);
  }
  writer.compactSize(tx.inputs.length);
  for (const input of tx.inputs) {
    writer.bytes(input.prevTxid);
    writer.u32(input.prevVout);
    writer.varBytes(input.scriptSig);
    writer.u32(input.sequence);
  }
  writer.compactSize(tx.outputs.length);
  for (const output of tx.outputs) {
    writer.u64(output.value);
    writer.varBytes(output.script);
  }
  if ((flags & FLAG_WITNESS) !== 0) {
    for (const { witness: stack } of tx.inputs) {
      writer.compactSize(stack.length);
      for (const item of stack) writer.varBytes(item);
    }
  }
  if (tx.mweb && (flags & FLAG_MWEB) !== 0) writer.bytes(tx.mweb);
  writer.u32(tx.locktime);
}

/** The txid, internal byte order: double SHA-256 of the bytes without witness and MWEB part. */
export function txidOf(tx: Transaction): Uint8Array {
  return sha256d(serializeTransaction(tx, { witness: false }));
}

/** The wtxid (BIP-141), internal byte order, without MWEB part. Equal to the txid when there is no witness. */
export function wtxidOf(tx: Transaction): Uint8Array {
  return tx.hasWitness ? sha256d(serializeTransaction(tx, { witness: true, mweb: false })) : txidOf(tx);
}

/** Sizes of a transaction: bytes, except `weight` (weight units) and `vsize` (weight / 4, rounded up). */
export type TransactionSizes = { size: number; strippedSize: number; weight: number; vsize: number };

/**
 * Sizes by BIP-141, computed without serialising. `size` is all that is on the wire; an MWEB part counts in
 * `size` alone, as in Litecoin Core.
 */
export function transactionSizes(tx: Transaction): TransactionSizes {
  let strippedSize = 8 + compactSizeBytes(tx.inputs.length) + compactSizeBytes(tx.outputs.length);
  for (const { scriptSig } of tx.inputs) strippedSize += 40 + varBytesSize(scriptSig);
  for (const { script } of tx.outputs) strippedSize += 8 + varBytesSize(script);

  let witnessBytes = 0;
  if (tx.hasWitness) {
    for (const { witness } of tx.inputs) {
      witnessBytes += compactSizeBytes(witness.length);
      for (const item of witness) witnessBytes += varBytesSize(item);
    }
  }
  const markerBytes = 2;
  const baseSize = strippedSize + (tx.hasWitness ? witnessBytes + markerBytes : 0);
  const mwebBytes = tx.mweb ? tx.mweb.length + (tx.hasWitness ? 0 : markerBytes) : 0;
  const weight = strippedSize * 3 + baseSize;
  return { size: baseSize + mwebBytes, strippedSize, weight, vsize: Math.ceil(weight / 4) };
}

function varBytesSize(bytes: Uint8Array): number {
  return compactSizeBytes(bytes.length) + bytes.length;
}

/** Whether this is a coinbase: one input, spending the null outpoint. */
export function isCoinbase(tx: Transaction): boolean {
  const input = tx.inputs[0];
  return (
    tx.inputs.length === 1 &&
    input !== undefined &&
    input.prevVout === NULL_PREVOUT_INDEX &&
    input.prevTxid.every((byte) => byte === 0)
  );
}

/** Blocks after which what left Litecoin's extension block by a HogEx may be spent, as of a coinbase. */
export const PEG_OUT_MATURITY = 6;

/** {@link isHogEx} of a transaction as blocks have it, without parsing: in them, no other has that flag. */
export function isMinedHogEx(raw: Uint8Array): boolean {
  return raw[4] === 0 && (raw[5]! & FLAG_MWEB) !== 0;
}

/** Whether this is Litecoin's HogEx, which carries the sums of a block's MWEB part. */
export function isHogEx(tx: Transaction): boolean {
  return tx.mweb !== undefined && tx.mweb.length === 1 && tx.mweb[0] === 0;
}
