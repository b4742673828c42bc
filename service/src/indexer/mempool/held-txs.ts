import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { Transaction } from '@coinfront/protocol/transaction.ts';
import { createHeldSpends, outpointKey } from './held-spends.ts';
import { type MempoolEntry, readEntry } from './mempool-rows.ts';
import { countInSummary, emptyMempoolSummary, type MempoolSummary } from './mempool-summary.ts';
import { createTxidSieve, prefixOfHex, prefixOfTxid } from './txid-sieve.ts';

/** The transactions of the mempool in memory: by txid, by what they spend, and summed up. */
export type HeldTxs = {
  readonly size: number;
  readonly summary: MempoolSummary;
  /** By txid, internal byte order, hex. */
  find(txid: string): MempoolEntry | undefined;
  /** Whether the one whose txid lies at `at` may be held: false of most of those that are not. */
  mayHave(txids: Uint8Array, at: number): boolean;
  txids(): IterableIterator<string>;
  add(entry: MempoolEntry, tx: Transaction): void;
  delete(entry: MempoolEntry, tx: Transaction): void;
  /** Deletes a transaction, and leaves what is remembered of its inputs for later: of 2,500 transactions 20 to 50 ms. */
  leave(entry: MempoolEntry): void;
  /** Whether nothing is left of what is gone. */
  readonly isSwept: boolean;
  /** Forgets the inputs of some that were left. */
  sweepSome(): void;
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

/** Forgotten at once: 2 to 5 ms. */
const SWEPT_AT_ONCE = 250;

/** Begins with none. */
export function createHeldTxs(): HeldTxs {
  const entries = new Map<string, MempoolEntry>();
  const sieve = createTxidSieve();
  const spends = createHeldSpends();
  let summary = emptyMempoolSummary();
  /** Gone, but their inputs may still lead to them. */
  let left: MempoolEntry[] = [];

  const findSpender = (outpoint: string): MempoolEntry | undefined => {
    const spender = spends.find(outpoint);
    return spender && entries.get(spender.txid) === spender ? spender : undefined;
  };

  const forget = (entry: MempoolEntry): void => {
    if (entries.delete(entry.txid)) sieve.delete(prefixOfHex(entry.txid));
    countInSummary(summary, entry, -1);
  };

  const listSpenders = (txid: Uint8Array, outputCount: number): MempoolEntry[] => {
    const found: MempoolEntry[] = [];
    for (let vout = 0; vout < outputCount; vout++) {
      const spender = findSpender(outpointKey(txid, vout));
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
    mayHave: (txids, at) => sieve.mayHave(prefixOfTxid(txids, at)),
    txids: () => entries.keys(),
    add(entry, tx) {
      if (!entries.has(entry.txid)) sieve.add(prefixOfHex(entry.txid));
      entries.set(entry.txid, entry);
      spends.add(tx, entry);
      countInSummary(summary, entry, 1);
    },
    delete(entry, tx) {
      forget(entry);
      spends.delete(tx, entry);
    },
    leave(entry) {
      forget(entry);
      left.push(entry);
    },
    get isSwept() {
      return left.length === 0;
    },
    sweepSome() {
      for (const entry of left.splice(-SWEPT_AT_ONCE)) spends.delete(readEntry(entry), entry);
    },
    maySpend: spends.maySpend,
    findSpender,
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
      sieve.clear();
      spends.clear();
      left = [];
      summary = emptyMempoolSummary();
    },
  };
}
