/** What is read of a script that a wallet asks for by its hash. */

import type { ChainView, ScriptReads, WaitingTx } from '../../../chain/chain-view.ts';
import { electrumCosts, electrumLimits } from '../electrum-limits.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { LongReadError } from '../session/long-reads.ts';
import { type ConfirmedTx, computeStatus, orderUnconfirmed } from './status-rules.ts';

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
  const reads = view.ofScript(hash);
  const confirmed: ConfirmedTx[] = [];
  let before: number | undefined;
  const most = mayBeLong ? sliceRows : longRows;
  for (;;) {
    const page = await reads.listHistory(before, most);
    if (!mayBeLong && page.length === most) throw await describeLong(reads);
    for (const { txid, status } of page) {
      // The coinbase of genesis can never be spent, and is in nobody's wallet.
      if (status.confirmed && status.height > 0) confirmed.push({ txid, height: status.height });
    }
    if (confirmed.length > electrumLimits.historyTxs) throw tooLarge();
    if (page.length < most) break;
    before = page.at(-1)!.txId;
    await giveWay();
  }
  return { confirmed: confirmed.reverse(), unconfirmed: await readUnconfirmed(view, hash, mayBeLong) };
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

/** What is remembered of a script. @throws RpcError `history too large` */
export async function readScriptState(
  view: ChainView,
  hash: Uint8Array,
  giveWay: GiveWay,
  mayBeLong = true,
): Promise<ScriptState & { txs: number }> {
  const { confirmed, unconfirmed } = await readHistory(view, hash, giveWay, mayBeLong);
  return {
    status: computeStatus(confirmed, unconfirmed),
    topHeight: confirmed.at(-1)?.height ?? -1,
    waiting: unconfirmed.length === 0 ? undefined : unconfirmed.map(({ id }) => id),
    txs: confirmed.length + unconfirmed.length,
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
