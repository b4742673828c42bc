import type { Writer } from '../db/database.ts';
import type { SqlValue } from '../db/statement.ts';
import { blockTable, historyTable, scriptTable, txPageTable, utxoTable } from './layout.ts';
import type { RepeatScript } from './repeat-scripts.ts';
import { reorder, sortOrder } from './sort-order.ts';
import type { SpendAdditions } from './spend-additions.ts';
import type { Spends } from './spend-page.ts';
import type { FinishedPage } from './tx-page.ts';

/** All that connecting a batch of blocks changes in the chain index. */
export type BatchRows = {
  block: SqlValue[][];
  pages: (FinishedPage & { height: number })[];
  spends: Spends;
  scripts: RepeatScript[];
  history: { scriptId: number[]; txId: number[]; delta: bigint[] };
  utxos: { scriptId: number[]; outputId: number[]; value: bigint[] };
  /** Unspent outputs of earlier batches that this one spends. */
  goneUtxos: { scriptId: number[]; outputId: number[] };
};

/** Writes a connected batch, rows sorted by key so that neighbouring rows fall on the same page of the database. */
export async function writeBatch(writer: Writer, rows: BatchRows, spends: SpendAdditions): Promise<void> {
  const { block, pages, scripts, history, utxos, goneUtxos } = rows;
  await writer.insert(blockTable, block[0]!.length, block);
  await writer.insert(txPageTable, pages.length, [
    pages.map((page) => page.firstId),
    pages.map((page) => page.height),
    pages.map((page) => page.position),
    pages.map((page) => page.data),
  ]);
  await spends.add(rows.spends);
  await writer.upsert(scriptTable, scripts.length, scriptColumns(scripts));
  await insertSorted(writer, historyTable, history.scriptId, [history.txId, history.delta]);
  await insertSorted(writer, utxoTable, utxos.scriptId, [utxos.outputId, utxos.value]);
  const order = sortOrder(goneUtxos.scriptId);
  await writer.delete(utxoTable, order.length, [
    reorder(goneUtxos.scriptId, order),
    reorder(goneUtxos.outputId, order),
  ]);
}

async function insertSorted(
  writer: Writer,
  table: Parameters<Writer['insert']>[0],
  keys: readonly number[],
  rest: readonly (readonly SqlValue[])[],
): Promise<void> {
  const order = sortOrder(keys);
  await writer.insert(table, keys.length, [
    reorder(keys, order),
    ...rest.map((column) => reorder(column, order)),
  ]);
}

/** Columns of the table of script totals. */
export function scriptColumns(scripts: readonly RepeatScript[]): SqlValue[][] {
  return [
    scripts.map((script) => script.id),
    scripts.map((script) => script.txCount),
    scripts.map((script) => script.fundedCount),
    scripts.map((script) => script.spentCount),
    scripts.map((script) => String(script.fundedSum)),
    scripts.map((script) => String(script.spentSum)),
  ];
}
