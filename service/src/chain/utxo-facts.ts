import type { Reader } from '../db/database.ts';
import type { RunSet } from '../indexer/runs/run-set.ts';
import { createOutputReader } from '../indexer/transactions/output-reader.ts';
import { findStoredTxs } from '../indexer/transactions/tx-store.ts';
import type { Utxo } from './chain-view.ts';
import { toTxFacts } from './tx-facts.ts';

/** Unspent outputs read lately, by number. Of one tip: a reorg gives numbers anew. */
export type UtxoMemory = Map<number, Utxo>;

/** Finds unspent outputs by their numbers, in their order. What is given away belongs to the caller. */
export type FindUtxos = (outputIds: readonly number[]) => Promise<Utxo[]>;

/** About 300 bytes each. */
const REMEMBERED_UTXOS = 50_000;

/** Finds unspent outputs in the memory, and what is not there in the database, all at once. */
export async function findUtxos(
  reader: Reader,
  runs: RunSet,
  memory: UtxoMemory,
  outputIds: readonly number[],
): Promise<Utxo[]> {
  const missing = outputIds.filter((id) => !memory.has(id));
  const sources = missing.length === 0 ? undefined : await findStoredTxs(reader, runs, missing);
  const outputs = createOutputReader();
  const utxos = outputIds.map((outputId) => {
    const remembered = memory.get(outputId);
    if (remembered) return remembered;
    const tx = sources!.get(outputId)!;
    const { hogEx, txid, height, position } = toTxFacts(tx);
    return {
      // A copy: it must not hold the whole page in memory.
      txid: txid.slice(),
      vout: outputId - tx.id,
      value: outputs.find(tx, outputId - tx.id)!.value,
      outputId,
      height,
      coinbase: position === 0,
      // Its first output is the sum of what stays in the extension block.
      pegOut: hogEx && outputId > tx.id,
      spentInMempool: false,
    };
  });
  if (memory.size + missing.length > REMEMBERED_UTXOS) memory.clear();
  for (const utxo of utxos) memory.set(utxo.outputId, utxo);
  return utxos.map((utxo) => ({ ...utxo }));
}
