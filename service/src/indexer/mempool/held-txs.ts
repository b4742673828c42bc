import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { Transaction } from '@coinfront/protocol/transaction.ts';
import { createHeldSpends, outpointKey } from './held-spends.ts';
import { type MempoolEntry, readEntry } from './mempool-rows.ts';
import { countInSummary, emptyMempoolSummary, type MempoolSummary } from './mempool-summary.ts';

/** The transactions of the mempool in memory: by txid, by what they spend, and summed up. */
export type HeldTxs = {
  readonly size: number;
  readonly summary: MempoolSummary;
  /** By txid, internal byte order, hex. */
  find(txid: string): MempoolEntry | undefined;
  txids(): IterableIterator<string>;
  add(entry: MempoolEntry, tx: Transaction): void;
  delete(entry: MempoolEntry, tx: Transaction): void;
  /** Whether the outpoint whose bytes lie at `at` may be spent: false of most of those that are not. */
  maySpend(raw: Uint8Array, at: number): boolean;
  /** The one that spends an output; by `outpointKey`. */
  findSpender(outpoint: string): MempoolEntry | undefined;
  /** Those that spend outputs of a transaction. */
  listSpenders(txid: Uint8Array, outputCount: number): MempoolEntry[];
  /** The transaction and all that build upon it: without it they cannot be valid. */
  withDescendants(entry: MempoolEntry): Set<MempoolEntry>;
  clear(): void;
};

/** Begins with none. */
export function createHeldTxs(): HeldTxs {
  const entries = new Map<string, MempoolEntry>();
  const spends = createHeldSpends();
  let summary = emptyMempoolSummary();

  const listSpenders = (txid: Uint8Array, outputCount: number): MempoolEntry[] => {
    const found: MempoolEntry[] = [];
    for (let vout = 0; vout < outputCount; vout++) {
      const spender = spends.find(outpointKey(txid, vout));
      if (spender) found.push(spender);
    }
    return found;
  };

  return {
    get size() {
      return entries.size;
    },
    get summary() {
      return summary;
    },
    find: (txid) => entries.get(txid),
    txids: () => entries.keys(),
    add(entry, tx) {
      entries.set(entry.txid, entry);
      spends.add(tx, entry);
      countInSummary(summary, entry, 1);
    },
    delete(entry, tx) {
      entries.delete(entry.txid);
      spends.delete(tx);
      countInSummary(summary, entry, -1);
    },
    maySpend: spends.maySpend,
    findSpender: spends.find,
    listSpenders,
    withDescendants(entry) {
      const found = new Set([entry]);
      for (const each of found) {
        const { outputs } = readEntry(each);
        for (const child of listSpenders(getHexBytes(each.txid), outputs.length)) found.add(child);
      }
      return found;
    },
    clear() {
      entries.clear();
      spends.clear();
      summary = emptyMempoolSummary();
    },
  };
}
