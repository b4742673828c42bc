/** The status of a script, as the Electrum protocol defines it. */

import { createHash, type Hash } from 'node:crypto';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';

/** A confirmed transaction of a script. */
export type ConfirmedTx = { readonly txid: Uint8Array; readonly height: number };

/** A transaction of a script in the mempool. */
export type UnconfirmedTx = { readonly txid: Uint8Array; readonly hasUnconfirmedParent: boolean };

/** What stands for a height of a transaction that has none. */
export function heightOf({ hasUnconfirmedParent }: Pick<UnconfirmedTx, 'hasUnconfirmedParent'>): 0 | -1 {
  return hasUnconfirmedParent ? -1 : 0;
}

/** In the order of the status: those with confirmed inputs alone first, then by txid as it is displayed. */
export function orderUnconfirmed<T extends UnconfirmedTx>(txs: readonly T[]): T[] {
  if (txs.length < 2) return [...txs];
  return txs
    .map((tx) => ({ tx, key: `${tx.hasUnconfirmedParent ? 1 : 0}${toDisplayHash(tx.txid)}` }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ tx }) => tx);
}

/**
 * Takes transactions into the hash of a status: `txid:height:` of each, a character a byte.
 *
 * @param confirmed by height, then by position in the block
 */
export function hashConfirmed(hash: Hash, confirmed: readonly ConfirmedTx[]): void {
  for (let from = 0; from < confirmed.length; from += TXS_AT_ONCE) {
    let text = '';
    for (const { txid, height } of confirmed.slice(from, from + TXS_AT_ONCE))
      text += `${toDisplayHash(txid)}:${height}:`;
    hash.update(text, 'latin1');
  }
}

/**
 * The status of a script that has history.
 *
 * @param confirmed has taken in what is confirmed, and is not changed; undefined where nothing is
 * @param unconfirmed in the order of {@link orderUnconfirmed}
 * @returns a character a byte
 */
export function finishStatus(confirmed: Hash | undefined, unconfirmed: readonly UnconfirmedTx[]): string {
  let text = '';
  for (const tx of unconfirmed) text += `${toDisplayHash(tx.txid)}:${heightOf(tx)}:`;
  return (confirmed?.copy() ?? createHash('sha256')).update(text, 'latin1').digest('latin1');
}

const TXS_AT_ONCE = 500;

/** A status as clients see it. */
export function showStatus(status: string | null): string {
  return status === null ? 'null' : `"${Buffer.from(status, 'latin1').toString('hex')}"`;
}
