/** Scripts and values of the latest outputs, so that most that are spent need not be read. */
export type RecentOutputs = {
  /** Adds the next output of the chain; one that does not go on from the last begins anew. */
  add(outputId: number, scriptId: number, value: bigint): void;
  has(outputId: number): boolean;
  getScriptId(outputId: number): number;
  getValue(outputId: number): bigint;
  clear(): void;
};

/** @param capacity outputs, a power of two; 16 bytes each */
export function createRecentOutputs(capacity: number): RecentOutputs {
  const scriptIds = new Float64Array(capacity);
  const values = new BigInt64Array(capacity);
  const mask = capacity - 1;
  /** What is here: `first .. end - 1`, the latest `capacity` of them. */
  let first = 0;
  let end = 0;
  return {
    add(outputId, scriptId, value) {
      if (outputId !== end) first = outputId;
      end = outputId + 1;
      scriptIds[outputId & mask] = scriptId;
      values[outputId & mask] = value;
    },
    has: (outputId) => outputId < end && outputId >= first && outputId >= end - capacity,
    getScriptId: (outputId) => scriptIds[outputId & mask]!,
    getValue: (outputId) => values[outputId & mask]!,
    clear() {
      first = 0;
      end = 0;
    },
  };
}
