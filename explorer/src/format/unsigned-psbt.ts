/** A transaction as a PSBT (BIP-174) without its signatures, for other wallets to look at or to sign again. */

import type { TxDetailJson } from '@coinfront/api/chain-transactions.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { classifyScript } from '@coinfront/protocol/script.ts';
import { parseTransaction, serializeTransaction, type TxOutput } from '@coinfront/protocol/transaction.ts';
import { type ByteWriter, createWriter } from '@coinfront/protocol/writer.ts';

const MAGIC = getHexBytes('70736274ff');
const UNSIGNED_TX = 0x00;
const WITNESS_UTXO = 0x01;
/** Characters that `fromCharCode` is given at once. */
const SLICE = 8_192;
/** Kinds whose value a signature commits to: of others a signer wants the whole transaction that they come from. */
const SEGWIT = ['p2wpkh', 'p2wsh', 'p2tr'];

/**
 * The outputs that the inputs spend, where that is enough for a PSBT: all are there and each is segwit by itself. Of one within P2SH
 * nothing says so before it is spent.
 */
export function findWitnessUtxos(tx: TxDetailJson, decimals: number): TxOutput[] | undefined {
  if (tx.coinbase || tx.inputs.length !== tx.input_count) return undefined;
  const utxos: TxOutput[] = [];
  for (const { prevout } of tx.inputs) {
    if (prevout?.script == null) return undefined;
    const script = getHexBytes(prevout.script);
    if (!SEGWIT.includes(classifyScript(script).kind)) return undefined;
    utxos.push({ value: getValue(parseAmount(prevout.value, decimals)), script });
  }
  return utxos;
}

/** Base64 of the PSBT of a transaction, hex, that spends these outputs. */
export function writeUnsignedPsbt(rawHex: string, utxos: readonly TxOutput[]): string {
  const tx = getValue(parseTransaction(getHexBytes(rawHex)));
  const inputs = tx.inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(0), witness: [] }));
  const writer = createWriter(1_024);
  writer.bytes(MAGIC);
  writePair(writer, UNSIGNED_TX, serializeTransaction({ ...tx, inputs }, { witness: false }));
  writer.u8(0);
  for (const { value, script } of utxos) {
    const output = createWriter(8 + script.length + 5);
    output.u64(value);
    output.varBytes(script);
    writePair(writer, WITNESS_UTXO, output.finish());
    writer.u8(0);
  }
  for (const _ of tx.outputs) writer.u8(0);
  return toBase64(writer.finish());
}

function writePair(writer: ByteWriter, type: number, value: Uint8Array): void {
  writer.varBytes(Uint8Array.of(type));
  writer.varBytes(value);
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE)
    text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}
