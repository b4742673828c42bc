import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { TxInput } from '@coinfront/protocol/transaction.ts';
import { readVout } from '../feed/fetched-block.ts';
import type { MempoolEntry } from './mempool-rows.ts';

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

/** With 300,000 outputs spent by the mempool less than half of all others are asked for by their key. */
const SIEVE_BITS = 19;

/** Begins with none. */
export function createHeldSpends(): HeldSpends {
  const spenders = new Map<string, MempoolEntry>();
  /** How many are held by the first bits of the txid. Who makes up many that are alike makes this slower, and no answer wrong. */
  const sieve = new Uint32Array(1 << SIEVE_BITS);

  return {
    add({ inputs }, entry) {
      for (const { prevTxid, prevVout } of inputs) {
        const key = outpointKey(prevTxid, prevVout);
        if (!spenders.has(key)) sieve[slotOf(prevTxid, 0)]!++;
        spenders.set(key, entry);
      }
    },
    delete({ inputs }, entry) {
      for (const { prevTxid, prevVout } of inputs) {
        const key = outpointKey(prevTxid, prevVout);
        if (spenders.get(key) !== entry) continue;
        spenders.delete(key);
        sieve[slotOf(prevTxid, 0)]!--;
      }
    },
    find: (key) => spenders.get(key),
    maySpend: (raw, at) => sieve[slotOf(raw, at)] !== 0,
    clear() {
      spenders.clear();
      sieve.fill(0);
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

function slotOf(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)) & ((1 << SIEVE_BITS) - 1);
}
