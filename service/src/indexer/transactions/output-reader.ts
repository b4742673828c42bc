import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import { findOutput, type PagedTx, readOutputs } from './tx-page.ts';

/** Reads outputs of transactions of the index, in time that grows with what is read, however large they are. */
export type OutputReader = {
  /** An output; undefined when there are fewer. Its script is a view on the transaction's page. */
  find(tx: PagedTx, vout: number): TxOutput | undefined;
  /** Lets go of the transactions that were read: for who goes from one to the next. */
  forget(): void;
};

/** An output is found by passing over those before it: from so many on, all are read at once and kept. */
const FEW = 8;

/** Creates a reader, for as long as its transactions are held. They are told apart as objects. */
export function createOutputReader(): OutputReader {
  const asked = new Map<PagedTx, number | TxOutput[]>();
  return {
    find(tx, vout) {
      const known = asked.get(tx) ?? 0;
      if (typeof known !== 'number') return known[vout];
      if (known < FEW) {
        asked.set(tx, known + 1);
        return findOutput(tx, vout);
      }
      const all = readOutputs(tx);
      asked.set(tx, all);
      return all[vout];
    },
    forget: () => asked.clear(),
  };
}
