import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';

/** Scripts and values of the latest outputs, so that most that are spent need not be read. */
export type RecentOutputs = {
  /** Adds outputs that follow the last one, or with which numbers begin anew. `keys` has 16 bytes of each. */
  add(firstId: number, values: BigInt64Array, keys: Uint8Array): void;
  has(outputId: number): boolean;
  getValue(outputId: number): bigint;
  /** Copies the key of an output's script. */
  copyKey(outputId: number, to: Uint8Array, at: number): void;
  /** Forgets an output and all after it: their blocks left the chain. */
  forgetFrom(outputId: number): void;
  clear(): void;
};

/** @param capacity outputs, a power of two; 24 bytes each */
export function createRecentOutputs(capacity: number): RecentOutputs {
  const keptKeys = new Uint8Array(capacity * SCRIPT_KEY_BYTES);
  const keptValues = new BigInt64Array(capacity);
  const mask = capacity - 1;
  /** What is here: `first .. end - 1`, the latest `capacity` of them. */
  let first = 0;
  let end = 0;
  return {
    add(firstId, values, keys) {
      if (firstId !== end) first = firstId;
      end = firstId + values.length;
      for (let i = Math.max(0, values.length - capacity); i < values.length; ) {
        const slot = (firstId + i) & mask;
        const count = Math.min(values.length - i, capacity - slot);
        keptValues.set(values.subarray(i, i + count), slot);
        keptKeys.set(
          keys.subarray(i * SCRIPT_KEY_BYTES, (i + count) * SCRIPT_KEY_BYTES),
          slot * SCRIPT_KEY_BYTES,
        );
        i += count;
      }
    },
    has: (outputId) => outputId < end && outputId >= first && outputId >= end - capacity,
    getValue: (outputId) => keptValues[outputId & mask]!,
    copyKey(outputId, to, at) {
      const from = (outputId & mask) * SCRIPT_KEY_BYTES;
      for (let i = 0; i < SCRIPT_KEY_BYTES; i++) to[at + i] = keptKeys[from + i]!;
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
