/** What is read of a script that a wallet asks for by its hash. */

import type { ChainView, WaitingTx } from '../../../chain/chain-view.ts';
import { electrumLimits } from '../electrum-limits.ts';
import { RpcError } from '../rpc/rpc-error.ts';
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

/** Transactions that are read before others are let in. */
const SLICE = 500;

/**
 * The history of a script.
 *
 * @throws RpcError `history too large`, a text that wallets know, for more transactions than fit a message
 */
export async function readHistory(
  view: ChainView,
  hash: Uint8Array,
  giveWay: GiveWay,
): Promise<ScriptHistory> {
  const reads = view.ofScript(hash);
  const confirmed: ConfirmedTx[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await reads.listHistory(before, SLICE);
    for (const { txid, status } of page) {
      // The coinbase of genesis can never be spent, and is in nobody's wallet.
      if (status.confirmed && status.height > 0) confirmed.push({ txid, height: status.height });
    }
    if (confirmed.length > electrumLimits.historyTxs) throw tooLarge();
    if (page.length < SLICE) break;
    before = page.at(-1)!.txId;
    await giveWay();
  }
  return { confirmed: confirmed.reverse(), unconfirmed: await readUnconfirmed(view, hash) };
}

/** The transactions of a script in the mempool, in the order of its status. @throws RpcError `history too large` */
export async function readUnconfirmed(view: ChainView, hash: Uint8Array): Promise<WaitingTx[]> {
  const waiting = await view.ofScript(hash).listWaitingTxs(electrumLimits.historyTxs + 1);
  if (waiting.length > electrumLimits.historyTxs) throw tooLarge();
  return orderUnconfirmed(waiting);
}

/** What is remembered of a script. @throws RpcError `history too large` */
export async function readScriptState(
  view: ChainView,
  hash: Uint8Array,
  giveWay: GiveWay,
): Promise<ScriptState & { txs: number }> {
  const { confirmed, unconfirmed } = await readHistory(view, hash, giveWay);
  return {
    status: computeStatus(confirmed, unconfirmed),
    topHeight: confirmed.at(-1)?.height ?? -1,
    waiting: unconfirmed.length === 0 ? undefined : unconfirmed.map(({ id }) => id),
    txs: confirmed.length + unconfirmed.length,
  };
}

function tooLarge(): RpcError {
  return new RpcError('refused', 'history too large');
}
