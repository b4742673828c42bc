/** The status of a script, as the Electrum protocol defines it. */

import { createHash } from 'node:crypto';
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
 * The status of a script: SHA-256 over `txid:height:` of its history, a character a byte.
 *
 * @param confirmed by height, then by position in the block
 * @param unconfirmed in the order of {@link orderUnconfirmed}
 * @returns null for a script without history
 */
export function computeStatus(
  confirmed: readonly ConfirmedTx[],
  unconfirmed: readonly UnconfirmedTx[],
): string | null {
  if (confirmed.length + unconfirmed.length === 0) return null;
  const hash = createHash('sha256');
  for (let from = 0; from < confirmed.length; from += TXS_AT_ONCE) {
    let text = '';
    for (const { txid, height } of confirmed.slice(from, from + TXS_AT_ONCE))
      text += `${toDisplayHash(txid)}:${height}:`;
    hash.update(text, 'latin1');
  }
  let text = '';
  for (const tx of unconfirmed) text += `${toDisplayHash(tx.txid)}:${heightOf(tx)}:`;
  return hash.update(text, 'latin1').digest('latin1');
}

const TXS_AT_ONCE = 500;

/** A status as clients see it. */
export function showStatus(status: string | null): string {
  return status === null ? 'null' : `"${Buffer.from(status, 'latin1').toString('hex')}"`;
}
