import type { KeyEntries } from './key-page.ts';
import { spreadKey } from './spread-key.ts';

/** Entries of a key index that are not in its pages yet. */
export type PendingKeys = {
  readonly size: number;
  add(key: number, id: number): void;
  /** Ids under a key, in the order in which they came. */
  find(key: number): readonly number[];
  /** All entries in the order in which they came; of use until the next call of `add` or `clear`. */
  list(): KeyEntries;
  clear(): void;
};

const NONE: readonly number[] = [];
/** Room at first: the steps at the tip are small. */
const LEAST_ENTRIES = 1 << 12;
/** To grow enters everything again, which costs more than room that stays empty. */
const GROWTH = 4;

/** Creates a hash table with open addressing, at most half full, in flat arrays: 25 bytes an entry that there is room for. */
export function createPendingKeys(): PendingKeys {
  let keys = new Float64Array(LEAST_ENTRIES);
  let ids = new Float64Array(LEAST_ENTRIES);
  /** An entry's number plus one. */
  let slots = new Int32Array(2 * LEAST_ENTRIES);
  /** A bit for the lowest bits of each key: small enough for the processor's cache, it answers for most keys that are not here. */
  let filter = new Uint8Array(LEAST_ENTRIES);
  let size = 0;

  const slotOf = (key: number): number => spreadKey(key) >>> Math.clz32(slots.length - 1);
  const enter = (key: number, number: number): void => {
    const mask = slots.length - 1;
    let slot = slotOf(key);
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number + 1;
    const bit = key & (8 * filter.length - 1);
    filter[bit >>> 3]! |= 1 << (bit & 7);
  };
  const isAbsent = (key: number): boolean => {
    const bit = key & (8 * filter.length - 1);
    return (filter[bit >>> 3]! & (1 << (bit & 7))) === 0;
  };
  const resize = (entries: number): void => {
    const [heldKeys, heldIds] = [keys, ids];
    keys = new Float64Array(entries);
    ids = new Float64Array(entries);
    slots = new Int32Array(2 * entries);
    filter = new Uint8Array(entries);
    for (let number = 0; number < size; number++) {
      keys[number] = heldKeys[number]!;
      ids[number] = heldIds[number]!;
      enter(keys[number]!, number);
    }
  };

  return {
    get size() {
      return size;
    },
    add(key, id) {
      if (size === keys.length) resize(GROWTH * size);
      keys[size] = key;
      ids[size] = id;
      enter(key, size);
      size++;
    },
    find(key) {
      if (isAbsent(key)) return NONE;
      const mask = slots.length - 1;
      let found: number[] | undefined;
      for (let slot = slotOf(key); slots[slot] !== 0; slot = (slot + 1) & mask) {
        const number = slots[slot]! - 1;
        if (keys[number] !== key) continue;
        if (found) found.push(ids[number]!);
        else found = [ids[number]!];
      }
      return found ?? NONE;
    },
    list: () => ({ keys: keys.subarray(0, size), ids: ids.subarray(0, size) }),
    clear() {
      // Room for what is usual stays; what a first sync took is given back behind it.
      const isLarge = keys.length > LEAST_ENTRIES && size < keys.length / (2 * GROWTH);
      size = 0;
      if (isLarge) return resize(LEAST_ENTRIES);
      slots.fill(0);
      filter.fill(0);
    },
  };
}
