import { isUnspendable } from '@coinfront/protocol/script.ts';
import type { Reader, Writer } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import type { BatchScripts } from './resolve-scripts.ts';
import type { SpendAdditions } from './spend-additions.ts';
import { findOutput } from './tx-page.ts';
import { findStoredTxs, readScriptOf } from './tx-store.ts';

/** Totals of a script that was paid more than once, while a batch changes them. */
export type RepeatScript = {
  id: number;
  txCount: number;
  fundedCount: number;
  spentCount: number;
  fundedSum: bigint;
  spentSum: bigint;
  /** The transaction that touched it last, and the row of that in the batch's history. */
  lastTxId: number;
  historyRow: number;
};

/** Rows that a script gets when it is paid for the second time: what its first output implied until now. */
export type ImpliedRows = {
  history: { scriptId: number; txId: number; delta: bigint }[];
  utxo: { scriptId: number; outputId: number; value: bigint }[];
};

type ScriptRow = {
  id: number;
  tx_count: number;
  funded_count: number;
  spent_count: number;
  funded_sum: string;
  spent_sum: string;
};

const FIND_SCRIPT = sql<ScriptRow>(
  'select id, tx_count, funded_count, spent_count, funded_sum, spent_sum from script where id = $1',
);
const LIST_SCRIPTS = sql<ScriptRow>(
  'select id, tx_count, funded_count, spent_count, funded_sum, spent_sum from script where id = any($1)',
);

/**
 * Finds, by slot, the totals of the scripts that have a row or get one in this batch; undefined for scripts that stay
 * paid once.
 *
 * @param firstOutputId of the batch
 */
export async function loadRepeatScripts(
  { scriptId, fundings }: BatchScripts,
  firstOutputId: number,
  spends: SpendAdditions,
  writer: Writer,
): Promise<{ repeats: (RepeatScript | undefined)[]; implied: ImpliedRows }> {
  const older = scriptId.filter((id) => id < firstOutputId);
  const rows = await findScriptRows(writer, [...Float64Array.from(older).sort()]);

  const promoted = scriptId.filter((id, slot) => id < firstOutputId && fundings[slot]! > 0 && !rows.has(id));
  const implied = await readImplied(promoted, spends, writer);
  const repeats = scriptId.map((id, slot) => {
    const row = rows.get(id);
    if (row) return row;
    if (id < firstOutputId) return fundings[slot]! > 0 ? implied.totals.get(id) : undefined;
    return fundings[slot]! > 1 ? createRepeatScript(id) : undefined;
  });
  return { repeats, implied: implied.rows };
}

/** Totals of a script, when it has a row. */
export async function findScriptRow(reader: Reader, id: number): Promise<RepeatScript | undefined> {
  const row = await reader.get(FIND_SCRIPT, [id]);
  return row && fromRow(row);
}

/** Totals of those of the scripts that have a row, by id. */
export async function findScriptRows(
  reader: Reader,
  ids: readonly number[],
): Promise<Map<number, RepeatScript>> {
  return new Map((await reader.lookup(LIST_SCRIPTS, ids)).map((row) => [row.id, fromRow(row)]));
}

/** Totals of a script that nothing is known of yet. */
function createRepeatScript(id: number): RepeatScript {
  return {
    id,
    txCount: 0,
    fundedCount: 0,
    spentCount: 0,
    fundedSum: 0n,
    spentSum: 0n,
    lastTxId: -1,
    historyRow: 0,
  };
}

function fromRow(row: ScriptRow): RepeatScript {
  return {
    ...createRepeatScript(row.id),
    txCount: row.tx_count,
    fundedCount: row.funded_count,
    spentCount: row.spent_count,
    fundedSum: BigInt(row.funded_sum),
    spentSum: BigInt(row.spent_sum),
  };
}

/** What the one output of each of these scripts implies: totals, history and, while unspent, the output itself. */
async function readImplied(
  scriptIds: readonly number[],
  spends: SpendAdditions,
  writer: Writer,
): Promise<{ totals: Map<number, RepeatScript>; rows: ImpliedRows }> {
  const totals = new Map<number, RepeatScript>();
  const rows: ImpliedRows = { history: [], utxo: [] };
  const stored = await findStoredTxs(writer, scriptIds);
  for (const id of scriptIds) {
    const tx = stored.get(id)!;
    const { value } = findOutput(tx, id - tx.id)!;
    const spender = await spends.find(id);
    const script = createRepeatScript(id);
    script.txCount = 1;
    script.fundedCount = 1;
    script.fundedSum = value;
    rows.history.push({ scriptId: id, txId: tx.id, delta: value });
    if (spender !== undefined) {
      script.txCount = 2;
      script.spentCount = 1;
      script.spentSum = value;
      rows.history.push({ scriptId: id, txId: spender, delta: -value });
    } else if (tx.height > 0 && !isUnspendable(readScriptOf(tx, id - tx.id))) {
      rows.utxo.push({ scriptId: id, outputId: id, value });
    }
    totals.set(id, script);
  }
  return { totals, rows };
}
