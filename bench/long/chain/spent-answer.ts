import type { Coin } from './coin-records.ts';
import { OUTPUT_BYTES, writeOutput } from './outputs.ts';
import type { Payees } from './payees.ts';
import { writeCount } from './write-bytes.ts';

/** Writes what a block spends as Bitcoin Core 30 serves it (`/rest/spenttxouts/<hash>.bin`). */
export type SpentAnswer = {
  begin(): void;
  /** Begins the next transaction; its coins follow. */
  addTx(inputs: number): void;
  addCoin(coin: Coin): void;
  /** The answer for a block of so many transactions, the coinbase with them; valid until the next one is begun. */
  finish(transactions: number): Uint8Array;
};

/** The answer for genesis: one transaction, which spends nothing. */
export const GENESIS_SPENT = Uint8Array.of(1, 0);

/** A count of transactions, and the coinbase, which spends nothing. */
const FRONT_BYTES = 4;
/** A block of 64 MB whose transactions have twenty inputs of 146 bytes spends less than this. */
const ANSWER_BYTES = 16 << 20;

/** Makes a writer whose answers share a buffer. */
export function createSpentAnswer(payees: Payees): SpentAnswer {
  const buffer = new Uint8Array(ANSWER_BYTES);
  let at = FRONT_BYTES;
  return {
    begin() {
      at = FRONT_BYTES;
    },
    addTx(inputs) {
      at = writeCount(buffer, at, inputs);
    },
    addCoin(coin) {
      if (at + OUTPUT_BYTES > ANSWER_BYTES) throw new Error('A block of the bench spends too many outputs.');
      at = writeOutput(coin, payees, buffer, at);
    },
    finish(transactions) {
      const front = new Uint8Array(FRONT_BYTES);
      const start = FRONT_BYTES - writeCount(front, 0, transactions) - 1;
      buffer.set(front.subarray(0, FRONT_BYTES - start), start);
      return buffer.subarray(start, at);
    },
  };
}
