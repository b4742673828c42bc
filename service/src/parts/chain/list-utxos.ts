import type { ChainView, Utxo } from '../../chain/chain-view.ts';
import type { Position } from '../../http/position-cursor.ts';

/** Rows that one request may look at for the spendable ones among them. */
const maxLooked = 2_000;

/** A page of unspent outputs; `last` is where the next one goes on, undefined at the end. */
export type UtxoPage = { items: Utxo[]; last: { id: number; height: number | undefined } | undefined };

/** Where those of the mempool begin: for a script of which no confirmed output is unspent. */
export const behindConfirmed: Position = { confirmed: false, id: -1 };

/**
 * Lists unspent outputs of a script that `wanted` keeps: confirmed ones from the oldest, then those of the mempool.
 *
 * A page is full unless the end is near or 2,000 rows were looked at: an address with many immature or spent
 * outputs gives short pages, possibly empty ones, that still go on. The more is passed over, the more is asked for at
 * once.
 */
export async function listUtxoPage(
  view: ChainView,
  script: Uint8Array,
  from: Position | undefined,
  limit: number,
  wanted: (utxo: Utxo) => boolean,
): Promise<UtxoPage> {
  const items: Utxo[] = [];
  let confirmed = from?.confirmed ?? true;
  let after = from?.id;
  let last: UtxoPage['last'];
  for (let looked = 0; looked < maxLooked; ) {
    // One more than a page: whether there is a next one is known without asking again.
    const want = Math.max(limit + 1, Math.min(looked, maxLooked - looked));
    const rows = confirmed
      ? await view.listUtxos(script, after, want)
      : await view.listMempoolUtxos(script, after, want);
    for (const row of rows) {
      if (wanted(row)) {
        if (items.length === limit) return { items, last };
        items.push(row);
      }
      last = { id: row.outputId, height: row.height };
      after = row.outputId;
    }
    looked += Math.max(rows.length, 1);
    if (rows.length === want) continue;
    if (!confirmed || view.mempool.txs === 0) return { items, last: undefined };
    confirmed = false;
    after = undefined;
  }
  return { items, last };
}
