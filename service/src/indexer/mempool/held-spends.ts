import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { TxInput } from '@coinfront/protocol/transaction.ts';
import { readVout } from '../feed/fetched-block.ts';
import type { MempoolEntry } from './mempool-rows.ts';
import { createTxidSieve, prefixOfTxid } from './txid-sieve.ts';

/** What of a transaction says which outputs it spends. */
type Spending = { readonly inputs: readonly Pick<TxInput, 'prevTxid' | 'prevVout'>[] };

/** Which transaction of the mempool spends an output. */
export type HeldSpends = {
  add(tx: Spending, entry: MempoolEntry): void;
  /** Forgets what a transaction spends, but for what another was added with since. */
  delete(tx: Spending, entry: MempoolEntry): void;
  /** By {@link outpointKey}. */
  find(key: string): MempoolEntry | undefined;
  /** Whether the outpoint whose bytes lie at `at` may be spent: false of most of those that are not, for which no key has to be made. */
  maySpend(raw: Uint8Array, at: number): boolean;
  clear(): void;
};

/** Begins with none. */
export function createHeldSpends(): HeldSpends {
  const spenders = new Map<string, MempoolEntry>();
  /** By the txid of what is spent. */
  const sieve = createTxidSieve();

  return {
    add({ inputs }, entry) {
      for (const { prevTxid, prevVout } of inputs) {
        const key = outpointKey(prevTxid, prevVout);
        if (!spenders.has(key)) sieve.add(prefixOfTxid(prevTxid, 0));
        spenders.set(key, entry);
      }
    },
    delete({ inputs }, entry) {
      for (const { prevTxid, prevVout } of inputs) {
        const key = outpointKey(prevTxid, prevVout);
        if (spenders.get(key) !== entry) continue;
        spenders.delete(key);
        sieve.delete(prefixOfTxid(prevTxid, 0));
      }
    },
    find: (key) => spenders.get(key),
    maySpend: (raw, at) => sieve.mayHave(prefixOfTxid(raw, at)),
    clear() {
      spenders.clear();
      sieve.clear();
    },
  };
}

/** Names an output in maps. */
export function outpointKey(txid: Uint8Array, vout: number): string {
  return `${bytesToHex(txid)}:${vout}`;
}

/** The same of an outpoint whose bytes lie in a transaction. */
export function outpointKeyAt(raw: Uint8Array, at: number): string {
  return outpointKey(raw.subarray(at, at + 32), readVout(raw, at));
}
