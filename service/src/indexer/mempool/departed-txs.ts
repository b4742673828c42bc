/** Outpoints that are remembered of transactions that left; about 20 MB. */
const MOST_OUTPOINTS = 20_000;

/** A transaction that left the mempool. Txids in internal byte order, hex; outpoints as `txid:vout`. */
export type DepartedTx = {
  txid: string;
  fee: bigint;
  weight: number;
  spends: readonly string[];
  outputCount: number;
};

/**
 * Transactions that the node does not list any more, and nothing says why: what replaced one comes with a later chunk of the same look, or with
 * a block. The latest are remembered, by what they spent.
 */
export type DepartedTxs = {
  readonly isEmpty: boolean;
  add(tx: DepartedTx): void;
  /**
   * Takes out what spent an output that `by` spends, and what built on that; it comes first. Nothing where that is the same
   * transaction: it is back, or mined.
   */
  take(outpoint: string, by: string): DepartedTx[];
  clear(): void;
};

/** @param mostOutpoints the oldest are forgotten above it */
export function createDepartedTxs(mostOutpoints = MOST_OUTPOINTS): DepartedTxs {
  const spenders = new Map<string, DepartedTx>();
  /** The oldest first. */
  const txs = new Set<DepartedTx>();
  let outpoints = 0;

  const forget = (tx: DepartedTx): void => {
    if (!txs.delete(tx)) return;
    outpoints -= tx.spends.length;
    for (const outpoint of tx.spends) if (spenders.get(outpoint) === tx) spenders.delete(outpoint);
  };

  return {
    get isEmpty() {
      return txs.size === 0;
    },
    add(tx) {
      txs.add(tx);
      outpoints += tx.spends.length;
      for (const outpoint of tx.spends) spenders.set(outpoint, tx);
      for (const oldest of txs) {
        if (outpoints <= mostOutpoints) break;
        forget(oldest);
      }
    },
    take(outpoint, by) {
      const spender = spenders.get(outpoint);
      if (spender === undefined) return [];
      const family = new Set([spender]);
      if (spender.txid !== by) {
        for (const { txid, outputCount } of family) {
          for (let vout = 0; vout < outputCount; vout++) {
            const child = spenders.get(`${txid}:${vout}`);
            if (child !== undefined) family.add(child);
          }
        }
      }
      for (const each of family) forget(each);
      return spender.txid === by ? [] : [...family];
    },
    clear() {
      spenders.clear();
      txs.clear();
      outpoints = 0;
    },
  };
}
