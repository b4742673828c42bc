/** What is read of a script that a wallet asks for by its hash. */

import type { ChainView, ScriptReads, WaitingTx } from '../../../chain/chain-view.ts';
import { electrumCosts, electrumLimits } from '../electrum-limits.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { LongReadError } from '../session/long-reads.ts';
import { nameOfScript } from './script-name.ts';
import { addToHashed, type IndexedTx, type StatusMemory } from './status-memory.ts';
import { type ConfirmedTx, finishStatus, orderUnconfirmed } from './status-rules.ts';

/** Gives way to others between two slices of long work. */
export type GiveWay = () => Promise<void>;

/** All transactions of a script, in the order of its status. */
export type ScriptHistory = {
  readonly confirmed: readonly ConfirmedTx[];
  readonly unconfirmed: readonly WaitingTx[];
};

/** What the service remembers of a script that is watched. */
export type ScriptState = {
  /** Of 32 characters, a character a byte; null without history. */
  readonly status: string | null;
  /** Height of its last confirmed transaction; -1 without one. */
  readonly topHeight: number;
  /** Ids of its transactions in the mempool; undefined where there are none. */
  readonly waiting: readonly number[] | undefined;
};

/** Rows that are read before others are let in. */
export const sliceRows = 500;
/** Rows from which on a list is long. */
export const longRows = 200;
/** Rows that are looked for first where only what is new is wanted. */
const newRows = 32;

/**
 * The history of a script.
 *
 * @param mayBeLong where it may not be, a long one is a {@link LongReadError}
 * @throws RpcError `history too large`, a text that wallets know, for more transactions than fit a message
 */
export async function readHistory(
  view: ChainView,
  hash: Uint8Array,
  giveWay: GiveWay,
  mayBeLong = true,
): Promise<ScriptHistory> {
  const confirmed = await readConfirmed(view, hash, giveWay, mayBeLong, 0);
  return { confirmed, unconfirmed: await readUnconfirmed(view, hash, mayBeLong) };
}

/** Confirmed transactions of a script from an id on, oldest first. @throws RpcError, LongReadError as {@link readHistory} */
async function readConfirmed(
  view: ChainView,
  hash: Uint8Array,
  giveWay: GiveWay,
  mayBeLong: boolean,
  fromTxId: number,
): Promise<IndexedTx[]> {
  const reads = view.ofScript(hash);
  const confirmed: IndexedTx[] = [];
  let beforeTxId: number | undefined;
  let most: number = fromTxId === 0 ? sliceRows : newRows;
  if (!mayBeLong) most = Math.min(most, longRows);
  for (;;) {
    const page = await reads.searchHistory({
      beforeTxId,
      fromTxId,
      matches: () => true,
      limit: most,
      mostRead: most,
    });
    if (!mayBeLong && page.entries.length === longRows) throw await describeLong(reads);
    for (const { txId, txid, status } of page.entries) {
      // The coinbase of genesis can never be spent, and is in nobody's wallet.
      if (status.confirmed && status.height > 0) confirmed.push({ txId, txid, height: status.height });
    }
    if (confirmed.length > electrumLimits.historyTxs) throw tooLarge();
    if (page.last === undefined) return confirmed.reverse();
    beforeTxId = page.last.txId;
    most = mayBeLong ? sliceRows : longRows;
    await giveWay();
  }
}

/** The transactions of a script in the mempool, in the order of its status. @throws RpcError `history too large` */
export async function readUnconfirmed(
  view: ChainView,
  hash: Uint8Array,
  mayBeLong = true,
): Promise<WaitingTx[]> {
  const reads = view.ofScript(hash);
  const waiting = await reads.listWaitingTxs(mayBeLong ? electrumLimits.historyTxs + 1 : longRows);
  if (!mayBeLong && waiting.length === longRows) throw await describeLong(reads);
  if (waiting.length > electrumLimits.historyTxs) throw tooLarge();
  return orderUnconfirmed(waiting);
}

/**
 * What is told of a script, with the rows that were read for it.
 *
 * @param memory spares what was read before of a long history
 * @throws RpcError `history too large`
 */
export async function readScriptState(
  view: ChainView,
  hash: Uint8Array,
  { giveWay, memory }: { giveWay: GiveWay; memory: StatusMemory },
  mayBeLong = true,
): Promise<ScriptState & { rows: number }> {
  const name = nameOfScript(hash);
  const known = await memory.find(view, name);
  const confirmed = await readConfirmed(view, hash, giveWay, mayBeLong, known ? known.lastTxId + 1 : 0);
  const unconfirmed = await readUnconfirmed(view, hash, mayBeLong);
  const { tip } = view;
  let hashed = known;
  if (tip !== undefined && confirmed.length > 0) {
    hashed = addToHashed(known, confirmed, tip);
    if (hashed.txs > electrumLimits.historyTxs) throw tooLarge();
    memory.keep(name, hashed);
  }
  return {
    status: hashed || unconfirmed.length > 0 ? finishStatus(hashed?.hash, unconfirmed) : null,
    topHeight: hashed?.topHeight ?? -1,
    waiting: unconfirmed.length === 0 ? undefined : unconfirmed.map(({ id }) => id),
    rows: confirmed.length + unconfirmed.length,
  };
}

/** What is said in place of a long history: what it costs, or that nobody gets it. */
async function describeLong(reads: ScriptReads): Promise<LongReadError> {
  const { txCount } = await reads.getStats();
  if (txCount > electrumLimits.historyTxs) return new LongReadError(electrumCosts.tooLong, tooLarge());
  return new LongReadError(Math.min(electrumCosts.longList, txCount / electrumCosts.historyRows));
}

/** What a script is told whose lists are not given. */
export function tooLarge(): RpcError {
  return new RpcError('refused', 'history too large');
}
