import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import type { Reader, Writer } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { scriptColumns } from './batch-rows.ts';
import type { ChainState } from './chain-state.ts';
import { keyOfScript } from './hashes.ts';
import { removeKeys, scriptKeys, txKeys } from './key-index.ts';
import type { KeyList } from './key-page.ts';
import { historyTable, scriptTable, utxoTable } from './layout.ts';
import { loadChainState } from './load-state.ts';
import { findScriptRows, type RepeatScript } from './repeat-scripts.ts';
import { removeSpends } from './spend-page.ts';
import {
  findOutput,
  listPageTxs,
  type PagedOutput,
  type PagedTx,
  readOutputs,
  readPrevouts,
} from './tx-page.ts';
import { findStoredTxs, readScriptOf } from './tx-store.ts';

const FIND_BLOCK = sql<{ first_tx_id: number }>('select first_tx_id from block where height = $1');
const FIND_LOWEST = sql<{ height: number }>(
  'select height from block where height >= $1 and total_txs > $2 order by height limit 1',
);
const LIST_PAGES = sql<{ first_id: number; data: Uint8Array }>(
  'select first_id, wide(data) as data from tx_page where first_id >= $1 order by first_id limit $2',
);
const DELETE_FROM = [
  sql('delete from tx_page where first_id >= $1'),
  sql('delete from script where id >= $1'),
  sql('delete from history where script_id >= $1'),
  sql('delete from utxo where script_id >= $1'),
];
const DELETE_BLOCKS = sql('delete from block where height >= $1');
const DELETE_HISTORY_OF = sql('delete from history where script_id = $1');
const DELETE_UTXOS_OF = sql('delete from utxo where script_id = $1');
const PAGES_AT_ONCE = 256;

/**
 * Undoes all blocks from `height` up in the chain index: afterwards its rows are those that it had before they were
 * connected. Nothing is needed for it but the rows themselves. Within a transaction of the caller.
 *
 * @param state of the index as it is
 * @param txsAtOnce bounds memory: blocks of about so many transactions are undone together
 * @returns the state of the index as it is then
 */
export async function disconnectBlocks(
  writer: Writer,
  state: ChainState,
  height: number,
  txsAtOnce: number,
): Promise<ChainState> {
  let current = state;
  while (current.height >= height) {
    const lowest = await writer.get(FIND_LOWEST, [height, current.totals.txs - txsAtOnce]);
    await disconnectFrom(writer, current, lowest?.height ?? current.height);
    current = await loadChainState(writer);
  }
  return current;
}

/** The number of the first transaction of a block; undefined above the tip. */
export async function findFirstTxId(reader: Reader, height: number): Promise<number | undefined> {
  return (await reader.get(FIND_BLOCK, [height]))?.first_tx_id;
}

async function disconnectFrom(writer: Writer, state: ChainState, height: number): Promise<void> {
  const firstTxId = await findFirstTxId(writer, height);
  if (firstTxId === undefined) return;
  const undo = await collectUndo(writer, firstTxId);

  await removeKeys(writer, txKeys, state.totals.txs, undo.txKeys);
  await removeKeys(writer, scriptKeys, state.totals.scripts, undo.scriptKeys);
  await removeSpends(writer, undo.spent);
  await restoreScripts(writer, undo);
  for (const statement of DELETE_FROM) await writer.run(statement, [undo.firstTxId]);
  await writer.run(DELETE_BLOCKS, [height]);
}

/** What a script that stays loses. */
type Loss = { txs: Set<number>; funded: number; spent: number; fundedSum: bigint; spentSum: bigint };

type Undo = {
  firstTxId: number;
  txKeys: KeyList;
  scriptKeys: KeyList;
  /** All outputs that the blocks spent. */
  spent: number[];
  /** Outputs of the blocks that pay older scripts. */
  made: { scriptId: number; outputId: number }[];
  /** Older outputs that the blocks spent. */
  restored: { scriptId: number; outputId: number; value: bigint }[];
  losses: Map<number, Loss>;
};

async function collectUndo(writer: Writer, firstTxId: number): Promise<Undo> {
  const undo: Undo = {
    firstTxId,
    txKeys: { keys: [], ids: [] },
    scriptKeys: { keys: [], ids: [] },
    spent: [],
    made: [],
    restored: [],
    losses: new Map(),
  };
  /** Outputs made by the blocks that go, for the inputs among them that spend them. */
  const outputs = new Map<number, PagedOutput>();
  let from = firstTxId;
  for (;;) {
    const pages = await writer.all(LIST_PAGES, [from, PAGES_AT_ONCE]);
    const txs = pages.flatMap((page) => listPageTxs(page.data, page.first_id));
    const older = txs.flatMap(
      (tx) => readPrevouts(tx).filter((id) => id !== undefined && id < firstTxId) as number[],
    );
    const sources = await findStoredTxs(writer, older);
    for (const tx of txs) {
      collectOutputs(undo, tx, outputs);
      for (const outputId of readPrevouts(tx)) {
        if (outputId === undefined) continue;
        const source = sources.get(outputId);
        const output = source ? findOutput(source, outputId - source.id) : outputs.get(outputId);
        if (!output)
          throw new Error(`output ${outputId}, spent by transaction ${tx.id}, is not in the index`);
        undo.spent.push(outputId);
        if (outputId < firstTxId) undo.restored.push({ ...output, outputId });
        lose(undo, output, tx.id, 'spent');
      }
    }
    if (pages.length < PAGES_AT_ONCE) return undo;
    from = pages.at(-1)!.first_id + 1;
  }
}

function collectOutputs(undo: Undo, tx: PagedTx, outputs: Map<number, PagedOutput>): void {
  undo.txKeys.keys.push(keyOfHash(tx.txid));
  undo.txKeys.ids.push(tx.id);
  readOutputs(tx).forEach((output, vout) => {
    const outputId = tx.id + vout;
    outputs.set(outputId, output);
    if (output.scriptId === outputId) {
      undo.scriptKeys.keys.push(keyOfScript(readScriptOf(tx, vout)));
      undo.scriptKeys.ids.push(outputId);
    }
    if (output.scriptId < undo.firstTxId) undo.made.push({ scriptId: output.scriptId, outputId });
    lose(undo, output, tx.id, 'funded');
  });
}

function lose(undo: Undo, { scriptId, value }: PagedOutput, txId: number, kind: 'funded' | 'spent'): void {
  if (scriptId >= undo.firstTxId) return;
  let loss = undo.losses.get(scriptId);
  if (!loss) {
    loss = { txs: new Set(), funded: 0, spent: 0, fundedSum: 0n, spentSum: 0n };
    undo.losses.set(scriptId, loss);
  }
  loss.txs.add(txId);
  loss[kind]++;
  loss[`${kind}Sum`] += value;
}

/** Takes back what older scripts gained; those that were paid once before have no rows again. */
async function restoreScripts(writer: Writer, undo: Undo): Promise<void> {
  const { losses, made, restored } = undo;
  const rows = await findScriptRows(writer, [...Float64Array.from(losses.keys()).sort()]);
  const touched = [...rows.keys()].flatMap((id) => [...losses.get(id)!.txs].map((txId) => ({ id, txId })));
  await writer.delete(historyTable, touched.length, [
    touched.map(({ id }) => id),
    touched.map(({ txId }) => txId),
  ]);
  await writer.delete(utxoTable, made.length, [
    made.map(({ scriptId }) => scriptId),
    made.map(({ outputId }) => outputId),
  ]);

  const before = [...rows.values()].map((script) => subtract(script, losses.get(script.id)!));
  const repeated = before.filter((script) => script.fundedCount > 1);
  await writer.upsert(scriptTable, repeated.length, scriptColumns(repeated));
  const kept = new Set(repeated.map((script) => script.id));
  const utxos = restored.filter(({ scriptId }) => kept.has(scriptId));
  await writer.insert(utxoTable, utxos.length, [
    utxos.map(({ scriptId }) => scriptId),
    utxos.map(({ outputId }) => outputId),
    utxos.map(({ value }) => value),
  ]);

  const single = before.filter((script) => script.fundedCount <= 1).map((script) => script.id);
  await writer.delete(scriptTable, single.length, [single]);
  for (const id of single) {
    await writer.run(DELETE_HISTORY_OF, [id]);
    await writer.run(DELETE_UTXOS_OF, [id]);
  }
}

function subtract(script: RepeatScript, loss: Loss): RepeatScript {
  return {
    ...script,
    txCount: script.txCount - loss.txs.size,
    fundedCount: script.fundedCount - loss.funded,
    spentCount: script.spentCount - loss.spent,
    fundedSum: script.fundedSum - loss.fundedSum,
    spentSum: script.spentSum - loss.spentSum,
  };
}
