import { equalRanges } from '@coinfront/protocol/bytes.ts';
import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import { OUTPUT_BYTES } from './outputs.ts';

/** All outputs of a chain as they are serialised, found by their outpoints. */
export type OutputRecords = {
  /** Adds the outputs of the transaction whose txid lies at `txids[txidAt ..]`: they lie in `block` from `at` on. */
  add(txids: Uint8Array, txidAt: number, block: Uint8Array, at: number, count: number): void;
  /** The output of an outpoint; a view. Throws when there is none. */
  find(raw: Uint8Array, at: number): Uint8Array;
};

const CHUNK_BITS = 18;
const CHUNK = 1 << CHUNK_BITS;

/** @param transactions how many there will be, at most: some 50 bytes each, and 31 an output */
export function createOutputRecords(transactions: number): OutputRecords {
  const places = 2 ** Math.ceil(Math.log2(transactions * 2));
  const slots = new Int32Array(places);
  const txids = new Uint8Array(transactions * 32);
  const firsts = new Float64Array(transactions);
  const chunks: Uint8Array[] = [];
  let txs = 0;
  let outputs = 0;

  const slotOf = (hashes: Uint8Array, at: number): number => {
    let slot = keyOfHash(hashes, at) % places;
    while (slots[slot] !== 0 && !equalRanges(txids, (slots[slot]! - 1) * 32, hashes, at, 32)) {
      slot = (slot + 1) % places;
    }
    return slot;
  };
  return {
    add(hashes, txidAt, block, at, count) {
      slots[slotOf(hashes, txidAt)] = txs + 1;
      txids.set(hashes.subarray(txidAt, txidAt + 32), txs * 32);
      firsts[txs++] = outputs;
      for (let i = 0; i < count; i++, outputs++) {
        const chunk = outputs >>> CHUNK_BITS;
        chunks[chunk] ??= new Uint8Array(CHUNK * OUTPUT_BYTES);
        const from = at + i * OUTPUT_BYTES;
        chunks[chunk].set(block.subarray(from, from + OUTPUT_BYTES), (outputs & (CHUNK - 1)) * OUTPUT_BYTES);
      }
    },
    find(raw, at) {
      const tx = slots[slotOf(raw, at)]! - 1;
      if (tx < 0) throw new Error('The chain spends what it does not have.');
      const output = firsts[tx]! + (raw[at + 32]! | (raw[at + 33]! << 8));
      const start = (output & (CHUNK - 1)) * OUTPUT_BYTES;
      return chunks[output >>> CHUNK_BITS]!.subarray(start, start + OUTPUT_BYTES);
    },
  };
}
