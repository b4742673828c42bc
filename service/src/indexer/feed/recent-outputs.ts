import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';

/** Scripts and values of the latest outputs, so that most that are spent need not be read. */
export type RecentOutputs = {
  /** Adds outputs that follow the last one, or with which numbers begin anew. `keys` has 16 bytes of each, from a multiple of four in its buffer on. */
  add(firstId: number, values: BigInt64Array, keys: Uint8Array): void;
  has(outputId: number): boolean;
  /**
   * Copies what is known of outputs that are here to the same places of other columns.
   *
   * @param places the ones that are meant of `outputIds`, and of the columns
   */
  copy(outputIds: Float64Array, places: Uint32Array, to: OutputColumns): void;
  /** Forgets an output and all after it: their blocks left the chain. */
  forgetFrom(outputId: number): void;
  clear(): void;
};

/** Columns of outputs: their values, and 16 bytes of each that name its script. Both begin at a multiple of four in their buffers. */
export type OutputColumns = { readonly values: BigInt64Array; readonly keys: Uint8Array };

const KEY_WORDS = SCRIPT_KEY_BYTES / 4;
const VALUE_WORDS = 2;
const OUTPUT_WORDS = KEY_WORDS + VALUE_WORDS;

/** @param capacity outputs, a power of two; 24 bytes each */
export function createRecentOutputs(capacity: number): RecentOutputs {
  /** Key and value side by side: what lies apart is fetched from memory twice. */
  const kept = new Uint32Array(capacity * OUTPUT_WORDS);
  const mask = capacity - 1;
  /** What is here: `first .. end - 1`, the latest `capacity` of them. */
  let first = 0;
  let end = 0;
  return {
    add(firstId, values, keys) {
      if (firstId !== end) first = firstId;
      end = firstId + values.length;
      const valueWords = wordsOf(values);
      const keyWords = wordsOf(keys);
      for (let i = Math.max(0, values.length - capacity); i < values.length; i++) {
        const to = ((firstId + i) & mask) * OUTPUT_WORDS;
        for (let k = 0; k < KEY_WORDS; k++) kept[to + k] = keyWords[i * KEY_WORDS + k]!;
        for (let v = 0; v < VALUE_WORDS; v++) kept[to + KEY_WORDS + v] = valueWords[i * VALUE_WORDS + v]!;
      }
    },
    has: (outputId) => outputId < end && outputId >= first && outputId >= end - capacity,
    copy(outputIds, places, { values, keys }) {
      const valueWords = wordsOf(values);
      const keyWords = wordsOf(keys);
      for (const place of places) {
        const from = (outputIds[place]! & mask) * OUTPUT_WORDS;
        for (let k = 0; k < KEY_WORDS; k++) keyWords[place * KEY_WORDS + k] = kept[from + k]!;
        for (let v = 0; v < VALUE_WORDS; v++)
          valueWords[place * VALUE_WORDS + v] = kept[from + KEY_WORDS + v]!;
      }
    },
    forgetFrom(outputId) {
      // The places of older ones were taken by what is forgotten now.
      first = Math.min(outputId, Math.max(first, end - capacity));
      end = Math.min(end, outputId);
    },
    clear() {
      first = 0;
      end = 0;
    },
  };
}

function wordsOf({ buffer, byteOffset, byteLength }: BigInt64Array | Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}
