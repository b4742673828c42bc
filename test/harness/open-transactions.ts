import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import {
  serializeTransaction,
  type Transaction,
  type TxOutput,
  txidOf,
} from '@coinfront/protocol/transaction.ts';

/** An output that anybody may spend with an empty input, in a block; internal byte order. */
export type OpenCoin = { readonly txid: Uint8Array; readonly vout: number; readonly value: bigint };

/** A transaction of open coins, whole without any signature. */
export type OpenTransaction = {
  readonly txid: Uint8Array;
  readonly hex: string;
  readonly tx: Transaction;
  /** The output at an index, to be spent further. */
  coin(vout: number): OpenCoin;
};

/** The bare script `<number> DROP 1`: each number is another owner. */
export function openScript(number: number): Uint8Array {
  const bytes = [number, number >>> 8, number >>> 16, number >>> 24].map((byte) => byte & 0xff);
  return Uint8Array.of(4, ...bytes, 0x75, 0x51);
}

/** An unspendable script that carries a few bytes. */
export function carrierScript(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return Uint8Array.of(0x6a, bytes.length, ...bytes);
}

/** Spends coins; transactions of the same coins and outputs differ by their `tag`. */
export function spendCoins(
  coins: readonly OpenCoin[],
  outputs: readonly TxOutput[],
  tag = 0,
): OpenTransaction {
  const tx: Transaction = {
    version: 2,
    inputs: coins.map(({ txid, vout }) => ({
      prevTxid: txid,
      prevVout: vout,
      scriptSig: new Uint8Array(0),
      sequence: 0xffffffff,
      witness: [],
    })),
    outputs: [...outputs],
    // Final inputs: the lock time binds nothing, and is free to tell transactions apart.
    locktime: tag,
    hasWitness: false,
    mweb: undefined,
  };
  const txid = txidOf(tx);
  return {
    txid,
    hex: bytesToHex(serializeTransaction(tx, { witness: true })),
    tx,
    coin: (vout) => ({ txid, vout, value: tx.outputs[vout]!.value }),
  };
}
