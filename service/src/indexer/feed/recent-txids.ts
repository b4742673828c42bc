import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import { copyEntry, viewOf } from '../encoding/copy-entry.ts';
import { spreadKey } from './spread-key.ts';

/**
 * The numbers of the latest transactions by txid, so that most prevouts are found without the database: in real traffic
 * and in first syncs alike most spent outputs are young.
 *
 * Two generations of flat arrays: when the young one is full it becomes the old one and the oldest are forgotten. Only the
 * latest are ever removed, when a reorg undoes them.
 */
export type RecentTxids = {
  /**
   * Adds transactions.
   *
   * @param txids 32 bytes each, one behind the other
   * @param starts the id of each, less `firstId`; ids ascend
   */
  add(txids: Uint8Array, firstId: number, starts: Uint32Array): void;
  /**
   * Finds the ids of transactions, -1 where one is not (or no longer) here. The whole txid is compared.
   *
   * @param offsets where in `bytes` the txid of each begins
   * @param ids is given as many
   */
  find(bytes: Uint8Array, offsets: Uint32Array, ids: Float64Array): void;
  /** Forgets the transactions whose ids are not below `id`: their blocks left the chain. */
  forgetFrom(id: number): void;
  clear(): void;
};

type Generation = {
  /** Open addressing; a slot holds a transaction's index plus one. Twice as many slots as transactions. */
  slots: Int32Array;
  /** Of each the txid (32) and the id (8), side by side: what lies apart is fetched from memory twice. */
  entries: DataView;
  /** The same bytes. */
  bytes: Uint8Array;
  txs: number;
};

const TXID_BYTES = 32;
const ENTRY_BYTES = 40;
/** So many are looked at together. */
const AT_ONCE = 128;

/** @param capacity transactions a generation, a power of two; 96 bytes each in both generations together */
export function createRecentTxids(capacity: number): RecentTxids {
  const mask = capacity * 2 - 1;
  const shift = Math.clz32(mask);
  let young = createGeneration(capacity);
  let old = createGeneration(capacity);
  const places = new Int32Array(AT_ONCE);
  const inYoung = new Int32Array(AT_ONCE);
  const inOld = new Int32Array(AT_ONCE);
  /** Something has to be done with what is fetched, or it would not be. */
  const fetched = new Int32Array(AT_ONCE);

  const placeOf = (bytes: Uint8Array, offset: number): number =>
    spreadKey(keyOfHash(bytes, offset)) >>> shift;

  /**
   * Reads the slots that are about to be looked at. They lie all over the memory, and one by one each waits for it; in loops in which
   * nothing is decided the processor fetches many at a time. So it is with the entries.
   */
  const fetchSlots = (count: number): void => {
    const youngSlots = young.slots;
    const oldSlots = old.slots;
    for (let i = 0; i < count; i++) {
      inYoung[i] = youngSlots[places[i]!]!;
      inOld[i] = oldSlots[places[i]!]!;
    }
  };
  const fetchEntries = (count: number): void => {
    const youngEntries = young.entries;
    const oldEntries = old.entries;
    for (let i = 0; i < count; i++) {
      const atYoung = Math.max(0, inYoung[i]! - 1) * ENTRY_BYTES;
      const atOld = Math.max(0, inOld[i]! - 1) * ENTRY_BYTES;
      const ofYoung = youngEntries.getUint8(atYoung) + youngEntries.getUint8(atYoung + TXID_BYTES);
      fetched[i] = ofYoung + oldEntries.getUint8(atOld) + oldEntries.getUint8(atOld + TXID_BYTES);
    }
  };

  const addOne = (bytes: DataView, at: number, place: number, id: number): void => {
    if (young.txs === capacity) {
      [young, old] = [old, young];
      empty(young);
    }
    const { slots, entries, txs } = young;
    let slot = place;
    // A coinbase of the same txid (BIP-30's exceptions) gives its place to the later one.
    while (slots[slot] !== 0 && !isTxid(entries, slots[slot]! - 1, bytes, at)) slot = (slot + 1) & mask;
    slots[slot] = txs + 1;
    const to = txs * ENTRY_BYTES;
    copyEntry(bytes, at, entries, to, TXID_BYTES);
    entries.setFloat64(to + TXID_BYTES, id);
    young.txs++;
  };

  return {
    add(txids, firstId, starts) {
      const bytes = viewOf(txids);
      const all = txids.length / TXID_BYTES;
      for (let from = 0; from < all; from += AT_ONCE) {
        const count = Math.min(AT_ONCE, all - from);
        for (let i = 0; i < count; i++) places[i] = placeOf(txids, (from + i) * TXID_BYTES);
        fetchSlots(count);
        for (let i = 0; i < count; i++)
          addOne(bytes, (from + i) * TXID_BYTES, places[i]!, firstId + starts[from + i]!);
      }
    },
    find(bytes, offsets, ids) {
      const view = viewOf(bytes);
      for (let from = 0; from < offsets.length; from += AT_ONCE) {
        const count = Math.min(AT_ONCE, offsets.length - from);
        for (let i = 0; i < count; i++) places[i] = placeOf(bytes, offsets[from + i]!);
        fetchSlots(count);
        fetchEntries(count);
        for (let i = 0; i < count; i++) {
          const offset = offsets[from + i]!;
          const id = findIn(young, places[i]!, mask, view, offset);
          ids[from + i] = id >= 0 ? id : findIn(old, places[i]!, mask, view, offset);
        }
      }
    },
    forgetFrom(id) {
      for (const generation of [young, old]) {
        while (generation.txs > 0 && idOf(generation.entries, generation.txs - 1) >= id)
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
  const bytes = new Uint8Array(capacity * ENTRY_BYTES);
  return { slots: new Int32Array(capacity * 2), entries: viewOf(bytes), bytes, txs: 0 };
}

function empty(generation: Generation): void {
  generation.slots.fill(0);
  generation.txs = 0;
}

function findIn(
  { slots, entries }: Generation,
  start: number,
  mask: number,
  bytes: DataView,
  offset: number,
): number {
  for (let slot = start; ; slot = (slot + 1) & mask) {
    const index = slots[slot]!;
    if (index === 0) return -1;
    if (isTxid(entries, index - 1, bytes, offset)) return idOf(entries, index - 1);
  }
}

/** Removes the transaction that was added last; those behind it in its row of slots move up, so that they are found. */
function removeLast(generation: Generation, mask: number, shift: number): void {
  const { slots, bytes } = generation;
  const homeOf = (index: number): number => spreadKey(keyOfHash(bytes, index * ENTRY_BYTES)) >>> shift;
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

function isTxid(entries: DataView, index: number, bytes: DataView, offset: number): boolean {
  const at = index * ENTRY_BYTES;
  for (let i = 0; i < TXID_BYTES; i += 4)
    if (entries.getInt32(at + i) !== bytes.getInt32(offset + i)) return false;
  return true;
}

function idOf(entries: DataView, index: number): number {
  return entries.getFloat64(index * ENTRY_BYTES + TXID_BYTES);
}
