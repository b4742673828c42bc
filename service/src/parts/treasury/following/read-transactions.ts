/** Reads from the index what moves the treasury: confirmed transactions in the order of the chain, and the mempool. */

import { bytesToHex, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { TreasuryProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { isCoinbase, parseTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';
import { type FoundTag, findContributionTag } from '@coinfront/protocol/treasury/contribution-tag.ts';
import type { BlockRecord, ChainView, HistoryEntry, TxRecord } from '../../../chain/chain-view.ts';
import type { Movement } from '../ledger/ledger-rules.ts';
import { type FoundScripts, type OwnScripts, ownScripts } from '../scripts/own-scripts.ts';

/** What a transaction gives to the treasury and takes from it, wherever it is. */
export type TreasuryTx = Pick<Movement, 'txid' | 'spent' | 'spendsOnlyTreasury' | 'fee'> & {
  isCoinbase: boolean;
  /** To its address, and to others of its wallet. */
  outputs: { vout: number; value: bigint }[];
  otherOutputs: { vout: number; value: bigint }[];
  tag: FoundTag;
  /** The first few outpoints that it spends, `txid:vout`. */
  inputs: string[];
};

/** A transaction of a block. */
export type ConfirmedTx = TreasuryTx & Pick<Movement, 'height' | 'blockHash' | 'blockTimeMs'>;

const PAGE = 100;
/** Of these, one is spent by whoever replaced the transaction, most likely the first. */
const KEPT_INPUTS = 20;

/**
 * The treasury's transactions of the blocks above a height up to another, in the order of the chain.
 *
 * @returns undefined when there are more than `most` of them
 */
export async function readBlocks(
  view: ChainView,
  { marker, scripts }: { marker: Uint8Array; scripts: FoundScripts },
  { above, upTo, most }: { above: number; upTo: BlockRecord; most: number },
): Promise<ConfirmedTx[] | undefined> {
  const entries = new Map<number, HistoryEntry>();
  const end = (await view.findBlockAt(upTo.height + 1))?.firstTxId;
  for (const script of scripts.used) {
    for (let before = end; ; ) {
      const page: HistoryEntry[] = await view.listHistory(getHexBytes(script), before, PAGE);
      const fitting = page.filter(({ status }) => status.confirmed && status.height > above);
      for (const entry of fitting) entries.set(entry.txId, entry);
      if (entries.size > most) return undefined;
      if (page.length < PAGE || fitting.length < page.length) break;
      before = page.at(-1)!.txId;
    }
  }
  const txs: ConfirmedTx[] = [];
  let block: BlockRecord | undefined;
  for (const { txid, status } of [...entries.values()].sort((a, b) => a.txId - b.txId)) {
    if (!status.confirmed) continue;
    if (block?.height !== status.height) block = await view.findBlockAt(status.height);
    const record = await view.findTx(txid);
    if (record === undefined || block === undefined)
      throw new Error(`the index has a history entry of ${toDisplayHash(txid)}, and not the transaction`);
    txs.push({
      ...(await readTransaction(view, { marker, scripts }, record)),
      height: block.height,
      blockHash: toDisplayHash(block.hash),
      blockTimeMs: block.time * 1000,
    });
  }
  return txs;
}

/** What a transaction does for the treasury. */
export async function readTransaction(
  view: ChainView,
  { marker, scripts }: { marker: Uint8Array; scripts: OwnScripts },
  record: TxRecord,
): Promise<TreasuryTx> {
  // The index holds only what it has parsed itself.
  const tx: Transaction = getValue(parseTransaction(record.raw));
  const prevouts = await view.listPrevouts(record);
  const spent = prevouts.flatMap((prevout) =>
    prevout && scripts.has(prevout.script)
      ? [{ txid: toDisplayHash(prevout.txid), vout: prevout.vout, value: prevout.value }]
      : [],
  );
  const own = tx.outputs.flatMap(({ value, script }, vout) =>
    scripts.has(script) ? [{ vout, value, isMain: scripts.isMain(script) }] : [],
  );
  const pick = (isMain: boolean) =>
    own.filter((output) => output.isMain === isMain).map(({ vout, value }) => ({ vout, value }));
  return {
    txid: toDisplayHash(record.txid),
    isCoinbase: isCoinbase(tx),
    spent,
    spendsOnlyTreasury: spent.length === tx.inputs.length,
    fee: record.fee ?? 0n,
    outputs: pick(true),
    otherOutputs: pick(false),
    tag: findContributionTag(tx.outputs, marker),
    inputs: tx.inputs
      .slice(0, KEPT_INPUTS)
      .map(({ prevTxid, prevVout }) => `${toDisplayHash(prevTxid)}:${prevVout}`),
  };
}

/** A transaction of the treasury in the mempool. */
export type PendingTx = { txid: string; firstSeenMs: number; inputs: string[]; values: bigint[] };

/**
 * The treasury's newest transactions of the mempool, `most` of them at most.
 *
 * @param isKnown those that need not be read
 */
export async function readMempool(
  view: ChainView,
  treasury: TreasuryProfile,
  { most, isKnown }: { most: number; isKnown: (txid: string) => boolean },
): Promise<{ txids: string[]; fresh: PendingTx[] }> {
  const scripts = ownScripts(bytesToHex(treasury.script), []);
  const txids: string[] = [];
  const fresh: PendingTx[] = [];
  for (let before: number | undefined; txids.length < most; ) {
    const page: HistoryEntry[] = await view.listMempoolHistory(treasury.script, before, PAGE);
    for (const { txid, status } of page) {
      const shown = toDisplayHash(txid);
      txids.push(shown);
      if (isKnown(shown) || status.confirmed) continue;
      const record = await view.findTx(txid);
      if (record === undefined) continue;
      const { inputs, outputs } = await readTransaction(view, { marker: treasury.marker, scripts }, record);
      fresh.push({
        txid: shown,
        firstSeenMs: status.firstSeenMs,
        inputs,
        values: outputs.map(({ value }) => value),
      });
    }
    if (page.length < PAGE) break;
    before = page.at(-1)!.txId;
  }
  return { txids, fresh };
}
