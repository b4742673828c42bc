import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import { isUnspendable } from '@coinfront/protocol/script.ts';
import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { keyOfScript, sha256 } from '../indexer/hashes.ts';
import { findCandidates, scriptKeys } from '../indexer/key-index.ts';
import { findScriptRow, type RepeatScript } from '../indexer/repeat-scripts.ts';
import { findSpender } from '../indexer/spend-page.ts';
import { findOutput } from '../indexer/tx-page.ts';
import { findStoredTx, findStoredTxs, readScriptOf, type StoredTx } from '../indexer/tx-store.ts';
import type { HistoryEntry, ScriptStats, Utxo } from './chain-view.ts';
import { type FindTxFacts, type TxFacts, toTxFacts } from './tx-facts.ts';

/**
 * A script that the chain has paid. Paid once, all there is to say follows from its output; paid more often, it has
 * rows.
 */
export type KnownScript =
  | { kind: 'repeat'; totals: RepeatScript }
  | { kind: 'single'; funding: StoredTx; outputId: number; value: bigint; spenderId: number | undefined };

const LIST_HISTORY = sql<{ tx_id: bigint; delta: bigint }>(
  'select tx_id, delta from history where script_id = $1 and tx_id < $2 order by tx_id desc limit $3',
  { bigints: true },
);
const LIST_UTXOS = sql<{ output_id: bigint; value: bigint }>(
  'select output_id, value from utxo where script_id = $1 and output_id > $2 order by output_id limit $3',
  { bigints: true },
);

/**
 * Finds a script.
 *
 * @param totalScripts of the chain as the reader sees it
 */
export async function findKnownScript(
  reader: Reader,
  totalScripts: number,
  script: Uint8Array,
): Promise<KnownScript | undefined> {
  for (const id of await findCandidates(reader, scriptKeys, totalScripts, keyOfScript(script))) {
    const funding = await findStoredTx(reader, id);
    if (!funding || !equalBytes(readScriptOf(funding, id - funding.id), script)) continue;
    const totals = await findScriptRow(reader, id);
    if (totals) return { kind: 'repeat', totals };
    const spenderId = await findSpender(reader, id);
    const { value } = findOutput(funding, id - funding.id)!;
    return { kind: 'single', funding, outputId: id, value, spenderId };
  }
  return undefined;
}

/** The script with this SHA-256. */
export async function findScriptBytes(
  reader: Reader,
  totalScripts: number,
  hash: Uint8Array,
): Promise<Uint8Array | undefined> {
  for (const id of await findCandidates(reader, scriptKeys, totalScripts, keyOfHash(hash))) {
    const funding = await findStoredTx(reader, id);
    const script = funding && readScriptOf(funding, id - funding.id);
    if (script && equalBytes(sha256(script), hash)) return script;
  }
  return undefined;
}

/** The number of a script: that of the first output that paid it. */
export function idOfScript(script: KnownScript): number {
  return script.kind === 'single' ? script.outputId : script.totals.id;
}

/** The scripts of outputs, by number of the output, in their order. */
export async function readScripts(reader: Reader, outputIds: readonly number[]): Promise<Uint8Array[]> {
  const sources = await findStoredTxs(reader, outputIds);
  return outputIds.map((id) => {
    const source = sources.get(id);
    if (!source) throw new Error(`the index has no output ${id}`);
    return readScriptOf(source, id - source.id);
  });
}

/** Totals of a script's confirmed history. */
export function statsOfScript(script: KnownScript | undefined): ScriptStats {
  if (!script) return { txCount: 0, fundedCount: 0, fundedSum: 0n, spentCount: 0, spentSum: 0n };
  if (script.kind === 'repeat') return script.totals;
  const isSpent = script.spenderId !== undefined;
  return {
    txCount: isSpent ? 2 : 1,
    fundedCount: 1,
    fundedSum: script.value,
    spentCount: isSpent ? 1 : 0,
    spentSum: isSpent ? script.value : 0n,
  };
}

/** Confirmed transactions of a script, newest first, below `beforeTxId`. */
export async function listScriptHistory(
  reader: Reader,
  findTx: FindTxFacts,
  script: KnownScript,
  beforeTxId: number,
  limit: number,
): Promise<HistoryEntry[]> {
  const rows =
    script.kind === 'repeat'
      ? (await reader.all(LIST_HISTORY, [script.totals.id, beforeTxId, limit])).map((row) => ({
          txId: Number(row.tx_id),
          delta: row.delta,
        }))
      : impliedHistory(script)
          .filter(({ txId }) => txId < beforeTxId)
          .slice(0, limit);
  const txs = await findTx(rows.map(({ txId }) => txId));
  return rows.map(({ txId, delta }, i) => {
    const { txid, height, position } = txs[i]!;
    return { txId, txid, delta, status: { confirmed: true, height, position } };
  });
}

function impliedHistory({ funding, value, spenderId }: Extract<KnownScript, { kind: 'single' }>) {
  const paid = { txId: funding.id, delta: value };
  return spenderId === undefined ? [paid] : [{ txId: spenderId, delta: -value }, paid];
}

/** Confirmed unspent outputs of a script, oldest first, above `afterOutputId`; the mempool is not looked at. */
export async function listScriptUtxos(
  reader: Reader,
  findTx: FindTxFacts,
  script: KnownScript,
  afterOutputId: number,
  limit: number,
): Promise<Utxo[]> {
  if (script.kind === 'single')
    return impliedUtxos(script).filter(({ outputId }) => outputId > afterOutputId);
  const rows = await reader.all(LIST_UTXOS, [script.totals.id, afterOutputId, limit]);
  const outputIds = rows.map((row) => Number(row.output_id));
  const txs = await findTx(outputIds);
  return rows.map(({ value }, i) => toUtxo(txs[i]!, outputIds[i]!, value));
}

function impliedUtxos({
  funding,
  outputId,
  value,
  spenderId,
}: Extract<KnownScript, { kind: 'single' }>): Utxo[] {
  const isUnspent =
    spenderId === undefined &&
    funding.height > 0 &&
    !isUnspendable(readScriptOf(funding, outputId - funding.id));
  return isUnspent ? [toUtxo(toTxFacts(funding), outputId, value)] : [];
}

function toUtxo(tx: TxFacts, outputId: number, value: bigint): Utxo {
  return {
    txid: tx.txid,
    vout: outputId - tx.id,
    value,
    outputId,
    height: tx.height,
    coinbase: tx.position === 0,
    // Its first output is the sum of what stays in the extension block.
    pegOut: tx.hogEx && outputId > tx.id,
    spentInMempool: false,
  };
}
