import { isMinedHogEx } from '@coinfront/protocol/transaction.ts';
import type { Reader } from '../db/database.ts';
import type { RunSet } from '../indexer/runs/run-set.ts';
import { readRaw } from '../indexer/transactions/tx-page.ts';
import { findStoredTxs, type StoredTx } from '../indexer/transactions/tx-store.ts';

/** What lists show of a confirmed transaction. */
export type TxFacts = { id: number; txid: Uint8Array; height: number; position: number; hogEx: boolean };

/** Facts read lately, by output number. Of one tip: a reorg gives numbers anew. */
export type TxFactsMemory = Map<number, TxFacts>;

/** Finds the transactions of outputs, in their order. */
export type FindTxFacts = (outputIds: readonly number[]) => Promise<TxFacts[]>;

/** About 300 bytes each. */
const REMEMBERED_TXS = 50_000;

/** Finds the transactions of outputs in the memory, and what is not there in the database, all at once. */
export async function findTxFacts(
  reader: Reader,
  runs: RunSet,
  memory: TxFactsMemory,
  outputIds: readonly number[],
): Promise<TxFacts[]> {
  const missing = outputIds.filter((id) => !memory.has(id));
  if (missing.length === 0) return outputIds.map((id) => memory.get(id)!);
  const read = await findStoredTxs(reader, runs, missing);
  const facts = outputIds.map((outputId) => {
    const remembered = memory.get(outputId);
    if (remembered) return remembered;
    // A copy of the txid: it must not hold the whole page in memory.
    const facts = toTxFacts(read.get(outputId)!);
    return { ...facts, txid: facts.txid.slice() };
  });
  if (memory.size + missing.length > REMEMBERED_TXS) memory.clear();
  for (const [i, outputId] of outputIds.entries()) memory.set(outputId, facts[i]!);
  return facts;
}

/** The facts of a transaction; the txid is a view on its page. */
export function toTxFacts(tx: StoredTx): TxFacts {
  const { id, txid, height, position } = tx;
  return { id, txid, height, position, hogEx: isMinedHogEx(readRaw(tx)) };
}
