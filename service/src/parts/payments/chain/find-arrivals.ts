/** Reads the chain for outputs that may pay a payment: of blocks, of the mempool, and of one script. */

import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { isCoinbase, parseTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';
import type { BlockRecord, ChainView, HistoryEntry, TxRecord } from '../../../chain/chain-reads.ts';
import { sha256 } from '../../../indexer/encoding/hashes.ts';

/** Where a transaction is: in a block, or in the mempool under its number there. */
export type TxPlace =
  | { height: number; blockHash: string; blockTimeMs: number }
  | { height: null; mempoolId: number; firstSeenMs: number };

/** A transaction as it was found in the index. */
export type FoundTx = { txid: string; raw: Uint8Array; place: TxPlace };

/** One output of a found transaction. */
export type FoundOutput = {
  txid: string;
  vout: number;
  scriptHash: string;
  value: bigint;
  isCoinbase: boolean;
  place: TxPlace;
  /** Outpoints that its transaction spends; none of a coinbase. */
  spends: () => Outpoint[];
};

/** An output by its transaction's display txid and its index there. */
export type Outpoint = { txid: string; vout: number };

const HISTORY_PAGE = 100;

/** The outputs of a transaction, with the hashes by which payments are found. */
export function listOutputs({ txid, raw, place }: FoundTx): FoundOutput[] {
  // The index holds only what it has parsed itself.
  const tx = getValue(parseTransaction(raw));
  const coinbase = isCoinbase(tx);
  return tx.outputs.map(({ value, script }, vout) => ({
    txid,
    vout,
    scriptHash: hashScript(script),
    value,
    isCoinbase: coinbase,
    place,
    spends: () => listSpends(tx),
  }));
}

/** Outpoints that a transaction spends; none of a coinbase. */
export function listSpends(tx: Transaction): Outpoint[] {
  if (isCoinbase(tx)) return [];
  return tx.inputs.map(({ prevTxid, prevVout }) => ({ txid: toDisplayHash(prevTxid), vout: prevVout }));
}

/** SHA-256 of a scriptPubKey, in hex. */
export function hashScript(script: Uint8Array): string {
  const hash = sha256(script);
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex');
}

/** The transactions that made outputs of a block, each once and in the order of the block, with their numbers in the index. */
export async function findTxsOfOutputs(
  view: ChainView,
  block: BlockRecord,
  outputIds: readonly number[],
): Promise<(FoundTx & { id: number })[]> {
  const place = placeOf(block);
  const txs = await view.listTxsOfOutputs(outputIds);
  return txs.map(({ id, txid, raw }) => ({ id, txid: toDisplayHash(txid), raw, place }));
}

/** Transactions that joined the mempool after the one of this number. */
export async function listArrivals(view: ChainView, afterId: number, limit: number): Promise<FoundTx[]> {
  const arrivals = await view.listMempoolArrivals(afterId, limit);
  return arrivals.map(({ id, txid, raw, firstSeenMs }) => ({
    txid: toDisplayHash(txid),
    raw,
    place: { height: null, mempoolId: id, firstSeenMs },
  }));
}

/** A transaction that was known; undefined when neither chain nor mempool has it. */
export async function findKnownTx(view: ChainView, txid: Uint8Array): Promise<FoundTx | undefined> {
  const record = await view.findTx(txid);
  return record && (await describeTx(view, record));
}

/**
 * Everything that touches a script in the mempool, and in the chain above a height.
 *
 * @param scriptHash SHA-256 of the script
 */
export async function listScriptTxs(
  view: ChainView,
  scriptHash: Uint8Array,
  aboveHeight: number,
): Promise<FoundTx[]> {
  const script = await view.findScriptByHash(scriptHash);
  if (!script) return [];
  const entries = [
    ...(await listAll((before) => view.listMempoolHistory(script, before, HISTORY_PAGE))),
    ...(await listAll(
      (before) => view.listHistory(script, before, HISTORY_PAGE),
      ({ status }) => status.confirmed && status.height <= aboveHeight,
    )),
  ];
  const found: FoundTx[] = [];
  for (const { txid } of entries) {
    const tx = await findKnownTx(view, txid);
    if (tx) found.push(tx);
  }
  return found;
}

async function listAll(
  list: (beforeId: number | undefined) => Promise<HistoryEntry[]>,
  isEnd: (entry: HistoryEntry) => boolean = () => false,
): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for (let before: number | undefined; ; ) {
    const page = await list(before);
    for (const entry of page) {
      if (isEnd(entry)) return entries;
      entries.push(entry);
    }
    if (page.length < HISTORY_PAGE) return entries;
    before = page.at(-1)!.txId;
  }
}

async function describeTx(view: ChainView, { id, txid, raw, status }: TxRecord): Promise<FoundTx> {
  const shown = { txid: toDisplayHash(txid), raw };
  if (!status.confirmed)
    return { ...shown, place: { height: null, mempoolId: id, firstSeenMs: status.firstSeenMs } };
  const block = await view.findBlockAt(status.height);
  if (!block) throw new Error(`the index has a transaction in block ${status.height}, and not the block`);
  return { ...shown, place: placeOf(block) };
}

function placeOf({ height, hash, time }: BlockRecord): TxPlace {
  return { height, blockHash: toDisplayHash(hash), blockTimeMs: time * 1000 };
}
