import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { Reader } from '../../db/database.ts';
import { sortAscending } from '../encoding/sort-order.ts';
import { findManyTxIds, findTxIds } from '../runs/read-txs.ts';
import type { RunSet } from '../runs/run-set.ts';
import { findOutput, findTxOfOutput, type PagedTx } from './tx-page.ts';
import { findTxPage, findTxPages, type TxPage } from './tx-pages.ts';

/** A confirmed transaction as the index holds it. */
export type StoredTx = PagedTx & { height: number; position: number };

/** The transaction that an output number belongs to; a transaction's own id is the number of its first output. */
export async function findStoredTx(
  reader: Reader,
  runs: RunSet,
  outputId: number,
): Promise<StoredTx | undefined> {
  const page = await findTxPage(reader, runs, outputId);
  return page && readTx(page, outputId);
}

/** The transactions of many outputs, by output number; outputs of one transaction mostly have the same object. */
export async function findStoredTxs(
  reader: Reader,
  runs: RunSet,
  outputIds: Iterable<number>,
): Promise<Map<number, StoredTx>> {
  const found = new Map<number, StoredTx>();
  await visitStoredTxs(reader, runs, outputIds, (tx, outputId) => found.set(outputId, tx));
  return found;
}

/** How many outputs are asked for at once; a large transaction is a large page, so it is as many as have lately made so many bytes. */
const AT_ONCE = { first: 1_024, least: 32, most: 4_096, bytes: 16 * 1024 * 1024 };

/**
 * Hands over the transactions of any number of outputs, by ascending number of the output; outputs of one transaction that
 * are asked for at once have the same object. Only a part of them is in memory at a time, unless the visitor keeps them.
 */
export async function visitStoredTxs(
  reader: Reader,
  runs: RunSet,
  outputIds: Iterable<number>,
  visit: (tx: StoredTx, outputId: number) => void,
): Promise<void> {
  const ascending = Float64Array.from(outputIds);
  sortAscending(ascending);
  let count = AT_ONCE.first;
  for (let first = 0; first < ascending.length; ) {
    const slice = ascending.subarray(first, first + count);
    const bytes = await visitSlice(reader, runs, slice, visit);
    first += slice.length;
    const fitting = Math.floor((slice.length * AT_ONCE.bytes) / Math.max(1, bytes));
    count = Math.max(AT_ONCE.least, Math.min(AT_ONCE.most, fitting));
  }
}

/** @returns how large the pages were */
async function visitSlice(
  reader: Reader,
  runs: RunSet,
  outputIds: Float64Array,
  visit: (tx: StoredTx, outputId: number) => void,
): Promise<number> {
  const pages = await findTxPages(reader, runs, outputIds);
  let at = 0;
  let last: StoredTx | undefined;
  for (const outputId of outputIds) {
    while (at + 1 < pages.length && pages[at + 1]!.firstId <= outputId) at++;
    const page = pages[at];
    if (!page || page.firstId > outputId) continue;
    const tx = readTx(page, outputId);
    if (tx.id !== last?.id) last = tx;
    visit(last, outputId);
  }
  return pages.reduce((sum, { data }) => sum + data.length, 0);
}

/** The confirmed transaction of a txid; where two coinbases share one (BIP-30's exceptions), the later. */
export async function findTxByTxid(
  reader: Reader,
  runs: RunSet,
  txid: Uint8Array,
): Promise<StoredTx | undefined> {
  for (const id of await findTxIds(reader, runs, txid)) {
    const tx = await findStoredTx(reader, runs, id);
    if (tx && equalBytes(tx.txid, txid)) return tx;
  }
  return undefined;
}

/** Hands over the confirmed transactions whose txids begin like one of these, in the order of the chain: all that have them, and hardly another. */
export async function visitTxsByTxid(
  reader: Reader,
  runs: RunSet,
  txids: readonly Uint8Array[],
  visit: (tx: StoredTx) => void,
): Promise<void> {
  const asked = txids.map((bytes) => ({ bytes, at: 0 }));
  await visitStoredTxs(reader, runs, (await findManyTxIds(reader, runs, asked)).flat(), visit);
}

/** The script of an output of an indexed transaction. */
export function readScriptOf(tx: PagedTx, vout: number): Uint8Array {
  const output = findOutput(tx, vout);
  if (!output) throw new Error(`transaction ${tx.id} of the index has no output ${vout}`);
  return output.script;
}

function readTx({ data, firstId, height, position }: TxPage, outputId: number): StoredTx {
  const tx = findTxOfOutput(data, firstId, outputId);
  return { ...tx, height, position: position + tx.index };
}
