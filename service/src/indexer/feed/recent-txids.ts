import { equalRanges } from '@coinfront/protocol/bytes.ts';
import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import { spreadKey } from './spread-key.ts';

/**
 * The numbers of the latest transactions by txid, so that most prevouts are found without the database: in real traffic
 * and in first syncs alike most spent outputs are young.
 *
 * Two generations of flat arrays: when the young one is full it becomes the old one and the oldest are forgotten. Only the
 * latest are ever removed, when a reorg undoes them.
 */
export type RecentTxids = {
  /** Adds the transaction whose first output has the number `id`. */
  add(txids: Uint8Array, offset: number, id: number): void;
  /** The id of a transaction, or -1 when it is not (or no longer) here. The whole txid is compared. */
  find(txids: Uint8Array, offset: number): number;
  /** Forgets the transactions whose ids are not below `id`: their blocks left the chain. */
  forgetFrom(id: number): void;
  clear(): void;
};

type Generation = {
  /** Open addressing; a slot holds a transaction's index plus one. Twice as many slots as transactions. */
  slots: Int32Array;
  txids: Uint8Array;
  ids: Float64Array;
  txs: number;
};

/** @param capacity transactions a generation, a power of two; 96 bytes each in both generations together */
export function createRecentTxids(capacity: number): RecentTxids {
  const mask = capacity * 2 - 1;
  const shift = Math.clz32(mask);
  let young = createGeneration(capacity);
  let old = createGeneration(capacity);

  const rotate = (): void => {
    [young, old] = [old, young];
    empty(young);
  };

  return {
    add(txids, offset, id) {
      if (young.txs === capacity) rotate();
      let slot = spreadKey(keyOfHash(txids, offset)) >>> shift;
      // A coinbase of the same txid (BIP-30's exceptions) gives its place to the later one.
      while (young.slots[slot] !== 0 && !isTxid(young, young.slots[slot]! - 1, txids, offset)) {
        slot = (slot + 1) & mask;
      }
      young.slots[slot] = young.txs + 1;
      for (let i = 0; i < 32; i++) young.txids[young.txs * 32 + i] = txids[offset + i]!;
      young.ids[young.txs] = id;
      young.txs++;
    },
    find(txids, offset) {
      const slot = spreadKey(keyOfHash(txids, offset)) >>> shift;
      const id = findIn(young, slot, mask, txids, offset);
      return id >= 0 ? id : findIn(old, slot, mask, txids, offset);
    },
    forgetFrom(id) {
      for (const generation of [young, old]) {
        while (generation.txs > 0 && generation.ids[generation.txs - 1]! >= id)
          removeLast(generation, mask, shift);
      }
    },
    clear() {
      empty(young);
      empty(old);
    },
  };
}

function createGeneration(capacity: number): Generation {
  return {
    slots: new Int32Array(capacity * 2),
    txids: new Uint8Array(capacity * 32),
    ids: new Float64Array(capacity),
    txs: 0,
  };
}

function empty(generation: Generation): void {
  generation.slots.fill(0);
  generation.txs = 0;
}

function findIn(
  generation: Generation,
  start: number,
  mask: number,
  txids: Uint8Array,
  offset: number,
): number {
  for (let slot = start; ; slot = (slot + 1) & mask) {
    const index = generation.slots[slot]!;
    if (index === 0) return -1;
    if (isTxid(generation, index - 1, txids, offset)) return generation.ids[index - 1]!;
  }
}

/** Removes the transaction that was added last; those behind it in its row of slots move up, so that they are found. */
function removeLast(generation: Generation, mask: number, shift: number): void {
  const { slots, txids } = generation;
  const homeOf = (index: number): number => spreadKey(keyOfHash(txids, index * 32)) >>> shift;
  const last = --generation.txs;
  let gap = homeOf(last);
  while (slots[gap] !== 0 && slots[gap] !== last + 1) gap = (gap + 1) & mask;
  if (slots[gap] === 0) return;
  for (let slot = (gap + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const fromHome = (slot - homeOf(slots[slot]! - 1)) & mask;
    if (fromHome < ((slot - gap) & mask)) continue;
    slots[gap] = slots[slot]!;
    gap = slot;
  }
  slots[gap] = 0;
}

function isTxid(generation: Generation, index: number, txids: Uint8Array, offset: number): boolean {
  return equalRanges(generation.txids, index * 32, txids, offset, 32);
}
