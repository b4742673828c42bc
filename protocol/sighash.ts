import { sha256, sha256d, taggedHash } from './hash.ts';
import type { Transaction, TxInput, TxOutput } from './transaction.ts';
import { writeTransaction } from './transaction.ts';
import { createWriter } from './writer.ts';

/** Taproot's default: commits to all inputs and outputs, and needs no byte of its own. */
export const SIGHASH_DEFAULT = 0x00;
/** Commits to all inputs and outputs. The other types are never made or accepted here. */
export const SIGHASH_ALL = 0x01;

const TAPROOT_EPOCH = 0x00;
/** No annex, key path. */
const TAPROOT_SPEND_TYPE = 0x00;

/**
 * The digest that a signature of type ALL signs in an input without segwit. `scriptCode` is the script that is
 * run, from which no signature and no OP_CODESEPARATOR has to be removed; `inputIndex` must be one of the inputs'.
 */
export function legacySighashAll(tx: Transaction, inputIndex: number, scriptCode: Uint8Array): Uint8Array {
  const none = new Uint8Array(0);
  const inputs = tx.inputs.map((input, index) => ({
    ...input,
    scriptSig: index === inputIndex ? scriptCode : none,
  }));
  const writer = createWriter(512);
  writeTransaction(writer, { ...tx, inputs }, { witness: false });
  writer.u32(SIGHASH_ALL);
  return sha256d(writer.finish());
}

/**
 * The digest that a signature of type ALL signs in an input of witness version 0 (BIP-143). `value` (base units)
 * is that of the output spent; for P2WPKH the script code is the P2PKH script of the same hash.
 */
export function segwitSighashAll(
  tx: Transaction,
  inputIndex: number,
  { scriptCode, value }: { scriptCode: Uint8Array; value: bigint },
): Uint8Array {
  const input = tx.inputs[inputIndex]!;
  const writer = createWriter(256);
  writer.u32(tx.version);
  writer.bytes(sha256d(outpointsOf(tx)));
  writer.bytes(sha256d(sequencesOf(tx)));
  writer.bytes(input.prevTxid);
  writer.u32(input.prevVout);
  writer.varBytes(scriptCode);
  writer.u64(value);
  writer.u32(input.sequence);
  writer.bytes(sha256d(outputsOf(tx.outputs)));
  writer.u32(tx.locktime);
  writer.u32(SIGHASH_ALL);
  return sha256d(writer.finish());
}

/**
 * The digest that a signature of the taproot key path signs (BIP-341), without annex. `prevouts` are the outputs
 * that the inputs spend, all of them and in their order.
 */
export function taprootKeySighash(
  tx: Transaction,
  inputIndex: number,
  prevouts: readonly TxOutput[],
  hashType: typeof SIGHASH_DEFAULT | typeof SIGHASH_ALL,
): Uint8Array {
  const amounts = createWriter(8 * prevouts.length);
  const scripts = createWriter(40 * prevouts.length);
  for (const { value, script } of prevouts) {
    amounts.u64(value);
    scripts.varBytes(script);
  }
  const writer = createWriter(256);
  writer.u8(TAPROOT_EPOCH);
  writer.u8(hashType);
  writer.u32(tx.version);
  writer.u32(tx.locktime);
  writer.bytes(sha256(outpointsOf(tx)));
  writer.bytes(sha256(amounts.finish()));
  writer.bytes(sha256(scripts.finish()));
  writer.bytes(sha256(sequencesOf(tx)));
  writer.bytes(sha256(outputsOf(tx.outputs)));
  writer.u8(TAPROOT_SPEND_TYPE);
  writer.u32(inputIndex);
  return taggedHash('TapSighash', writer.finish());
}

function outpointsOf(tx: Transaction): Uint8Array {
  const writer = createWriter(36 * tx.inputs.length);
  for (const { prevTxid, prevVout } of tx.inputs) {
    writer.bytes(prevTxid);
    writer.u32(prevVout);
  }
  return writer.finish();
}

function sequencesOf({ inputs }: { inputs: readonly TxInput[] }): Uint8Array {
  const writer = createWriter(4 * inputs.length);
  for (const { sequence } of inputs) writer.u32(sequence);
  return writer.finish();
}

function outputsOf(outputs: readonly TxOutput[]): Uint8Array {
  const writer = createWriter(64);
  for (const { value, script } of outputs) {
    writer.u64(value);
    writer.varBytes(script);
  }
  return writer.finish();
}
