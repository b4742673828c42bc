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
const NON_WITNESS_UTXO = 0x00;
const WITNESS_UTXO = 0x01;
/** Characters that `fromCharCode` is given at once. */
const SLICE = 8_192;
/** Kinds whose value a signature commits to: of others a signer wants the whole transaction that they come from. */
const SEGWIT = ['p2wpkh', 'p2wsh', 'p2tr'];
/** Transactions that are fetched for one PSBT at most. */
const MOST_PREVIOUS = 20;

/** What a PSBT says of the output that an input spends: the output, or the transaction that made it. */
export type SpentOutput = { utxo: TxOutput } | { previousTxid: string };

/**
 * The outputs that the inputs spend, where a PSBT can be made. Of one within P2SH nothing says before it is spent whether it is segwit: with
 * the whole transaction it can be signed either way.
 *
 * @returns undefined of a coinbase, and where too much is unknown or would have to be fetched
 */
export function findSpentOutputs(tx: TxDetailJson, decimals: number): SpentOutput[] | undefined {
  if (tx.coinbase || tx.inputs.length !== tx.input_count) return undefined;
  const spent: SpentOutput[] = [];
  for (const { prevout, txid } of tx.inputs) {
    if (prevout?.script == null || txid === null) return undefined;
    const script = getHexBytes(prevout.script);
    const isSegwit = SEGWIT.includes(classifyScript(script).kind);
    const value = getValue(parseAmount(prevout.value, decimals));
    spent.push(isSegwit ? { utxo: { value, script } } : { previousTxid: txid });
  }
  return listPrevious(spent).length > MOST_PREVIOUS ? undefined : spent;
}

/** The transactions that have to be fetched for them, each once. */
export function listPrevious(spent: readonly SpentOutput[]): string[] {
  return [...new Set(spent.flatMap((each) => ('utxo' in each ? [] : [each.previousTxid])))];
}

/**
 * Base64 of the PSBT of a transaction, hex, that spends these outputs.
 *
 * @param previous the transactions of {@link listPrevious}, hex, by txid
 */
export function writeUnsignedPsbt(
  rawHex: string,
  spent: readonly SpentOutput[],
  previous: ReadonlyMap<string, string> = new Map(),
): string {
  const tx = getValue(parseTransaction(getHexBytes(rawHex)));
  const inputs = tx.inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(0), witness: [] }));
  const writer = createWriter(1_024);
  writer.bytes(MAGIC);
  writePair(writer, UNSIGNED_TX, serializeTransaction({ ...tx, inputs }, { witness: false }));
  writer.u8(0);
  for (const each of spent) {
    if ('utxo' in each) {
      const { value, script } = each.utxo;
      const output = createWriter(8 + script.length + 5);
      output.u64(value);
      output.varBytes(script);
      writePair(writer, WITNESS_UTXO, output.finish());
    } else {
      const made = getValue(parseTransaction(getHexBytes(previous.get(each.previousTxid)!)));
      writePair(writer, NON_WITNESS_UTXO, serializeTransaction(made, { witness: false }));
    }
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
