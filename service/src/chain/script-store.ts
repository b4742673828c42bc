import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { findRawPayment } from '@coinfront/protocol/raw-outputs.ts';
import type { Reader } from '../db/database.ts';
import { keyOfScript, sha256 } from '../indexer/encoding/hashes.ts';
import { listCoins } from '../indexer/runs/read-coins.ts';
import { findFirstTx, listChanges, sumScript } from '../indexer/runs/read-history.ts';
import type { RunSet } from '../indexer/runs/run-set.ts';
import { readRaw } from '../indexer/transactions/tx-page.ts';
import {
  findStoredTx,
  findStoredTxs,
  readScriptOf,
  type StoredTx,
} from '../indexer/transactions/tx-store.ts';
import type {
  FirstOutput,
  FoundHistory,
  HistoryEntry,
  HistorySearch,
  ScriptStats,
  Utxo,
} from './chain-view.ts';
import { findKeyedScript } from './find-keyed-script.ts';
import type { FindTxFacts } from './tx-facts.ts';
import type { FindUtxos } from './utxo-facts.ts';

/** The script with this SHA-256; undefined when the chain never paid it. */
export async function findScriptBytes(
  reader: Reader,
  runs: RunSet,
  hash: Uint8Array,
): Promise<Uint8Array | undefined> {
  const script = await findScriptByKey(reader, runs, hash.subarray(0, SCRIPT_KEY_BYTES));
  return script && equalBytes(sha256(script), hash) ? script : undefined;
}

/** The script whose SHA-256 begins with these 16 bytes; undefined when the chain never paid it. */
export async function findScriptByKey(
  reader: Reader,
  runs: RunSet,
  key: Uint8Array,
): Promise<Uint8Array | undefined> {
  const tx = await findFirstPaying(reader, runs, key);
  return tx && findKeyedScript(readRaw(tx), key);
}

/** The first output of the chain that pays a script; undefined when none does. */
export async function findFirstOutput(
  reader: Reader,
  runs: RunSet,
  script: Uint8Array,
): Promise<FirstOutput | undefined> {
  const tx = await findFirstPaying(reader, runs, keyOfScript(script));
  const vout = tx && findRawPayment(readRaw(tx), script);
  // Another script whose key begins alike would be paid by it.
  if (!tx || vout === undefined) return undefined;
  return { txid: tx.txid, vout, height: tx.height, position: tx.position };
}

async function findFirstPaying(reader: Reader, runs: RunSet, key: Uint8Array): Promise<StoredTx | undefined> {
  const txId = await findFirstTx(reader, runs, key);
  return txId === undefined ? undefined : await findStoredTx(reader, runs, txId);
}

/** The scripts of outputs, by their numbers, in their order. */
export async function readScripts(
  reader: Reader,
  runs: RunSet,
  outputIds: readonly number[],
): Promise<Uint8Array[]> {
  const sources = await findStoredTxs(reader, runs, outputIds);
  return outputIds.map((id) => {
    const source = sources.get(id);
    if (!source) throw new Error(`the index has no output ${id}`);
    return readScriptOf(source, id - source.id);
  });
}

/** Totals of a script's confirmed history, by its SHA-256; zeros for one that the chain never paid. */
export async function readScriptStats(reader: Reader, runs: RunSet, hash: Uint8Array): Promise<ScriptStats> {
  const sums = await sumScript(reader, runs, hash.subarray(0, SCRIPT_KEY_BYTES));
  return {
    txCount: sums.txs,
    fundedCount: sums.funded,
    fundedSum: sums.fundedSum,
    spentCount: sums.spent,
    spentSum: sums.spentSum,
  };
}

/** Confirmed transactions of a script, newest first, below `beforeTxId`. */
export async function listScriptHistory(
  reader: Reader,
  runs: RunSet,
  findTx: FindTxFacts,
  hash: Uint8Array,
  beforeTxId: number,
  limit: number,
): Promise<HistoryEntry[]> {
  const key = hash.subarray(0, SCRIPT_KEY_BYTES);
  const changes = await listChanges(reader, runs, key, beforeTxId, limit);
  const txs = await findTx(changes.map(({ txId }) => txId));
  return changes.map(({ txId, delta }, i) => {
    const { txid, height, position } = txs[i]!;
    return { txId, txid, delta, status: { confirmed: true, height, position } };
  });
}

/** Searches the confirmed transactions of a script, newest first; only of what is found more is read than what it did. */
export async function searchScriptHistory(
  reader: Reader,
  runs: RunSet,
  findTx: FindTxFacts,
  hash: Uint8Array,
  { beforeTxId = Number.MAX_SAFE_INTEGER, fromTxId, matches, limit, mostRead }: HistorySearch,
): Promise<FoundHistory> {
  const key = hash.subarray(0, SCRIPT_KEY_BYTES);
  const read = await listChanges(reader, runs, key, beforeTxId, mostRead);
  const within = read.filter(({ txId }) => txId >= fromTxId);
  const matching = within.filter(({ delta }) => matches(delta));
  const found = matching.slice(0, limit);
  const isWhole = within.length < read.length || read.length < mostRead;
  const last = matching.length > limit ? found.at(-1) : isWhole ? undefined : read.at(-1);
  const ids = [...found, ...(last === undefined ? [] : [last])].map(({ txId }) => txId);
  const facts = new Map((await findTx(ids)).map((each, i) => [ids[i]!, each]));
  return {
    entries: found.map(({ txId, delta }) => {
      const { txid, height, position } = facts.get(txId)!;
      return { txId, txid, delta, status: { confirmed: true, height, position } };
    }),
    last: last && { txId: last.txId, height: facts.get(last.txId)!.height },
  };
}

/** Whether any output of a script can be spent; the mempool is not looked at. */
export async function hasScriptCoins(reader: Reader, runs: RunSet, hash: Uint8Array): Promise<boolean> {
  return (await listCoins(reader, runs, hash.subarray(0, SCRIPT_KEY_BYTES), -1, 1)).length > 0;
}

/** Outputs of a script that can be spent, oldest first, above `afterOutputId`; the mempool is not looked at. */
export async function listScriptUtxos(
  reader: Reader,
  runs: RunSet,
  findUtxos: FindUtxos,
  hash: Uint8Array,
  afterOutputId: number,
  limit: number,
): Promise<Utxo[]> {
  const key = hash.subarray(0, SCRIPT_KEY_BYTES);
  return await findUtxos(await listCoins(reader, runs, key, afterOutputId, limit));
}
