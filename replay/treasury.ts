import { flip, isEqual, toHex } from './bytes.ts';
import type { Journal } from './journal.ts';
import type { Placed } from './protocol.ts';
import { isCoinbase } from './transaction.ts';

/** A movement of the treasury that the chain alone tells. A `gift` is a contribution or unattributed: intents tell. */
export type Movement = {
  readonly kind: 'gift' | 'coinbase' | 'change' | 'spend' | 'fee';
  /** What it adds. */
  readonly amount: bigint;
  /** As people write it. */
  readonly txid: string;
  readonly vout: number | undefined;
  readonly height: number;
};

export type Treasury = {
  apply(placed: Placed): void;
  listMovements(): IterableIterator<[string, Movement]>;
};

/** Follows the outputs of the treasury: `docs/treasury.md`, "The ledger". */
export function createTreasury(scripts: readonly Uint8Array[], journal: Journal): Treasury {
  const coins = journal.createTable<bigint>();
  const movements = journal.createTable<Movement>();
  return {
    apply({ tx, height }) {
      const txid = toHex(flip(tx.txid));
      const record = (kind: Movement['kind'], amount: bigint, vout?: number): void =>
        movements.set(movementKey(txid, vout ?? kind), { kind, amount, txid, vout, height });
      let [taken, spent] = [0n, 0];
      for (const { prevTxid, prevVout } of tx.inputs) {
        const key = movementKey(toHex(flip(prevTxid)), prevVout);
        const value = coins.get(key);
        if (value === undefined) continue;
        coins.set(key, undefined);
        taken += value;
        spent++;
      }
      if (spent > 0) {
        // In a shared transaction nobody can say whose the fee is.
        const paid = tx.outputs.reduce((sum, { value }) => sum + value, 0n);
        const fee = spent === tx.inputs.length ? taken - paid : 0n;
        record('spend', fee - taken);
        if (fee > 0n) record('fee', -fee);
      }
      const kind = isCoinbase(tx) ? 'coinbase' : spent > 0 ? 'change' : 'gift';
      for (const [vout, output] of tx.outputs.entries()) {
        if (!scripts.some((script) => isEqual(output.script, script))) continue;
        coins.set(movementKey(txid, vout), output.value);
        record(kind, output.value, vout);
      }
    },
    listMovements: () => movements.entries(),
  };
}

/** One of each output, and of each kind of what a transaction as a whole spends. */
export function movementKey(txid: string, part: number | string): string {
  return `${txid}:${part}`;
}
