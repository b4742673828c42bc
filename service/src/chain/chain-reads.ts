/** Reading the chain's index: what more than one part needs of a view. */

import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { parseTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';
import {
  noWitness,
  parseCheckedStripped,
  parseTransactionPart,
  type TransactionPart,
} from '@coinfront/protocol/transaction-part.ts';
import { difficultyOfBits } from '@coinfront/protocol/work.ts';
import { AppError } from '../errors.ts';
import type { BlockRecord, ChainView, HistoryEntry, TxRecord } from './chain-view.ts';

export type {
  BlockName,
  BlockRecord,
  ChainView,
  HistoryEntry,
  PresentSnapshot,
  Prevout,
  ReadChain,
  ScriptStats,
  Spend,
  TxRecord,
  Utxo,
} from './chain-view.ts';

/** The fields of a block header that are shown, read from its 80 bytes. */
export type HeaderFields = {
  version: number;
  prevHash: Uint8Array;
  merkleRoot: Uint8Array;
  bits: number;
  nonce: number;
};

/** Reads a stored header; its bytes were checked when it was indexed. */
export function readHeaderFields(header: Uint8Array): HeaderFields {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  return {
    version: view.getInt32(0, true),
    prevHash: header.subarray(4, 36),
    merkleRoot: header.subarray(36, 68),
    bits: view.getUint32(72, true),
    nonce: view.getUint32(76, true),
  };
}

/** Difficulty of a stored block. */
export function difficultyOf(block: BlockRecord): number {
  return difficultyOfBits(readHeaderFields(block.header).bits);
}

/** Blocks from this height to the tip, both counted. */
export function confirmationsAt(height: number, tip: BlockRecord): number {
  return tip.height - height + 1;
}

/**
 * The block at a height.
 *
 * @throws AppError `block_not_found`
 */
export async function getBlockAt(view: ChainView, height: number): Promise<BlockRecord> {
  const block = await view.findBlockAt(height);
  if (block !== undefined) return block;
  const detail = `There is no block at height ${height}; the tip is at ${view.tip?.height}.`;
  throw new AppError('block_not_found', detail);
}

/**
 * The block of an id as people give it: a height, or a hash.
 *
 * @throws AppError `block_not_found`
 */
export async function getBlockById(view: ChainView, id: string): Promise<BlockRecord> {
  if (id.length < 64) return await getBlockAt(view, Number(id));
  const hash = parseDisplayHash(id);
  const block = hash.ok ? await view.findBlock(hash.value) : undefined;
  if (block !== undefined) return block;
  throw new AppError('block_not_found', `No block ${id.toLowerCase()} in the best chain.`);
}

/**
 * The transaction of a display txid.
 *
 * @param charge is told of its bytes: however little of it is shown, all are read. Left out where the answer has them all
 * @throws AppError `transaction_not_found`
 */
export async function getTx(
  view: ChainView,
  txid: string,
  charge?: (bytes: number) => void,
): Promise<TxRecord> {
  const parsed = parseDisplayHash(txid);
  const record = parsed.ok ? await view.findTx(parsed.value) : undefined;
  if (record !== undefined) {
    charge?.(record.raw.length);
    return record;
  }
  const detail = `No transaction ${txid.toLowerCase()} in the best chain or the mempool.`;
  throw new AppError('transaction_not_found', detail);
}

/** Bytes in the index were parsed when they were indexed, so a failure is a defect. */
export function parseStored(record: TxRecord): Transaction {
  const parsed = parseTransaction(record.raw);
  if (!parsed.ok) throw unreadable(record, parsed.reason);
  return parsed.value;
}

/** The same without the witnesses, which may have millions of items: what the txid is of. */
export function parseStripped(record: TxRecord): Transaction {
  const parsed = parseCheckedStripped(record.raw);
  if (!parsed.ok) throw unreadable(record, parsed.reason);
  return parsed.value;
}

/** The same with no witness item in it, but how many there are: `listWitnessItems` reads them one by one. */
export function parseWithoutItems(record: TxRecord): TransactionPart {
  const parsed = parseTransactionPart(record.raw, noWitness);
  if (!parsed.ok) throw unreadable(record, parsed.reason);
  return parsed.value;
}

function unreadable({ txid }: TxRecord, reason: string): Error {
  return new Error(`stored transaction ${toDisplayHash(txid)}: ${reason}`);
}

/** A page of the history, the mempool's part before the chain's. */
export async function listHistoryPage(
  view: ChainView,
  script: Uint8Array,
  from: { confirmed: boolean; id: number } | undefined,
  limit: number,
): Promise<{ entries: HistoryEntry[]; more: boolean }> {
  const entries: HistoryEntry[] = [];
  const want = limit + 1;
  if (from?.confirmed !== true && view.mempool.txs > 0) {
    entries.push(...(await view.listMempoolHistory(script, from?.id, want)));
  }
  if (entries.length < want) {
    const before = from?.confirmed === true ? from.id : undefined;
    entries.push(...(await view.listHistory(script, before, want - entries.length)));
  }
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}
