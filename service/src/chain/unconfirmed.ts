import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import type { Reader } from '../db/database.ts';
import type { RunSet } from '../indexer/runs/run-set.ts';
import { createOutputReader } from '../indexer/transactions/output-reader.ts';
import { findTxByTxid } from '../indexer/transactions/tx-store.ts';
import type { Prevout, Spend, TxSpan } from './chain-view.ts';
import { findMempoolTx } from './mempool-store.ts';
import { listMempoolSpends, toPrevout } from './tx-store.ts';

/** Finds outputs of one transaction by index; undefined where there are fewer. */
export type FindOutputAt = (vout: number) => Prevout | undefined;

/** A transaction anywhere, in the mempool or on the chain, for reading its outputs. */
export async function findOutputs(
  reader: Reader,
  runs: RunSet,
  txid: Uint8Array,
): Promise<FindOutputAt | undefined> {
  const pending = await findMempoolTx(reader, txid);
  if (pending) {
    const { outputs } = getValue(parseTransaction(pending.raw));
    return (vout) => outputs[vout] && { txid, vout, ...outputs[vout], height: undefined, coinbase: false };
  }
  const stored = await findTxByTxid(reader, runs, txid);
  const outputs = createOutputReader();
  return stored && ((vout) => toPrevout(outputs, stored, vout));
}

/** The outputs that a transaction of the mempool spends, each of their transactions read once and all at a time. */
export async function listUnconfirmedPrevouts(
  reader: Reader,
  runs: RunSet,
  raw: Uint8Array,
  { first, count }: TxSpan,
): Promise<(Prevout | undefined)[]> {
  const parents = new Map<string, Promise<FindOutputAt | undefined>>();
  const { inputs } = getValue(parseTransaction(raw));
  return await Promise.all(
    inputs.slice(first, first + count).map(async ({ prevTxid, prevVout }) => {
      const key = bytesToHex(prevTxid);
      const parent = parents.get(key) ?? findOutputs(reader, runs, prevTxid);
      parents.set(key, parent);
      return (await parent)?.(prevVout);
    }),
  );
}

/** Finds what the mempool spends of a transaction, by output index; asks once for each. */
export function createSpendFinder(reader: Reader): (txid: Uint8Array) => Promise<ReadonlyMap<number, Spend>> {
  const found = new Map<string, Promise<ReadonlyMap<number, Spend>>>();
  return (txid) => {
    const key = bytesToHex(txid);
    const spends = found.get(key) ?? listMempoolSpends(reader, txid);
    found.set(key, spends);
    return spends;
  };
}
