import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { findSpenders } from '../indexer/runs/read-spends.ts';
import type { RunSet } from '../indexer/runs/run-set.ts';
import { createOutputReader, type OutputReader } from '../indexer/transactions/output-reader.ts';
import { readPrevouts } from '../indexer/transactions/tx-page.ts';
import { findStoredTxs, type StoredTx } from '../indexer/transactions/tx-store.ts';
import type { Prevout, Spend, TxSpan } from './chain-view.ts';

const LIST_MEMPOOL_SPENDS = sql<{ vout: number; vin: number; txid: Uint8Array }>(
  `select s.vout, s.vin, m.txid from mempool_spend s join mempool_tx m on m.id = s.tx_id where s.txid = $1`,
);

/** The outputs that confirmed transactions spend, of each in the order of its inputs; undefined for a coinbase input. */
export async function listStoredPrevouts(
  reader: Reader,
  runs: RunSet,
  txs: readonly StoredTx[],
  { first, count }: TxSpan,
): Promise<(Prevout | undefined)[][]> {
  const spent = txs.map((tx) => readPrevouts(tx).slice(first, first + count));
  const sources = await findStoredTxs(
    reader,
    runs,
    spent.flat().filter((id) => id !== undefined),
  );
  const outputs = createOutputReader();
  return spent.map((outputIds) =>
    outputIds.map((outputId) => {
      const source = outputId === undefined ? undefined : sources.get(outputId);
      return source && toPrevout(outputs, source, outputId! - source.id);
    }),
  );
}

/** An output of a confirmed transaction as a prevout. */
export function toPrevout(outputs: OutputReader, source: StoredTx, vout: number): Prevout | undefined {
  const output = outputs.find(source, vout);
  return (
    output && {
      txid: source.txid,
      vout,
      value: output.value,
      script: output.script,
      height: source.height,
      coinbase: source.position === 0,
    }
  );
}

/** The confirmed inputs that spend a confirmed transaction's outputs; undefined where there is none. */
export async function listStoredSpends(
  reader: Reader,
  runs: RunSet,
  tx: StoredTx,
  span: TxSpan,
): Promise<(Spend | undefined)[]> {
  const first = Math.min(span.first, tx.outputCount);
  const count = Math.min(span.count, tx.outputCount - first);
  const spenderIds = await findSpenders(reader, runs, tx.id + first, count);
  const spenders = await findStoredTxs(
    reader,
    runs,
    spenderIds.filter((id) => id !== undefined),
  );
  const inputs = new Map<StoredTx, Map<number | undefined, number>>();
  return spenderIds.map((id, at) => {
    const spender = id === undefined ? undefined : spenders.get(id);
    if (!spender) return undefined;
    const vins = inputs.get(spender) ?? indexPrevouts(spender);
    inputs.set(spender, vins);
    return { txid: spender.txid, vin: vins.get(tx.id + first + at)!, height: spender.height };
  });
}

/** Input by the number of the output that it spends. */
function indexPrevouts(tx: StoredTx): Map<number | undefined, number> {
  return new Map(readPrevouts(tx).map((outputId, vin) => [outputId, vin]));
}

/** The unconfirmed inputs that spend outputs of a transaction, by output index. */
export async function listMempoolSpends(reader: Reader, txid: Uint8Array): Promise<Map<number, Spend>> {
  const rows = await reader.all(LIST_MEMPOOL_SPENDS, [txid]);
  return new Map(rows.map((row) => [row.vout, { txid: row.txid, vin: row.vin, height: undefined }]));
}
