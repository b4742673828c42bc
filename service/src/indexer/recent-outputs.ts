import { keyOfHash } from '@coinfront/protocol/hash-key.ts';

/**
 * The outputs of the latest transactions, so that most prevouts are resolved without the database: in real traffic and
 * in first syncs alike most spent outputs are young.
 *
 * Two generations of flat arrays: when the young one is full it becomes the old one and the oldest outputs are
 * forgotten. Nothing is ever removed singly, so a lookup is one probe into each.
 */
export type RecentOutputs = {
  /** Announces the next transaction of the chain, whose outputs have the numbers `id .. id + outputCount - 1`. */
  addTransaction(txids: Uint8Array, offset: number, id: number, outputCount: number): void;
  /** Fills in an output of an announced transaction. */
  setOutput(outputId: number, scriptId: number, value: bigint): void;
  /** The id of a transaction, or -1 when it is not (or no longer) here. The whole txid is compared. */
  findTransaction(txids: Uint8Array, offset: number): number;
  /** Whether an output's script and value are here. */
  hasOutput(outputId: number): boolean;
  getScriptId(outputId: number): number;
  getValue(outputId: number): bigint;
  /** Forgets everything; the next transaction may have any id. */
  clear(): void;
};

type Generation = {
  /** Open addressing; a slot holds a transaction's index plus one. Twice as many slots as transactions. */
  slots: Int32Array;
  txids: Uint8Array;
  ids: Float64Array;
  txs: number;
  firstOutput: number;
  outputs: number;
  scriptIds: Float64Array;
  values: BigInt64Array;
};

/**
 * @param capacity transactions a generation, a power of two; 96 bytes each in both generations together
 */
export function createRecentOutputs(capacity: number): RecentOutputs {
  const mask = capacity * 2 - 1;
  let young = createGeneration(capacity);
  let old = createGeneration(capacity);

  const rotate = (): void => {
    const reused = old;
    old = young;
    young = reused;
    young.slots.fill(0);
    young.txs = 0;
    young.outputs = 0;
  };
  const generationOf = (outputId: number): Generation | undefined => {
    if (outputId >= young.firstOutput && outputId < young.firstOutput + young.outputs) return young;
    if (outputId >= old.firstOutput && outputId < old.firstOutput + old.outputs) return old;
    return undefined;
  };

  return {
    addTransaction(txids, offset, id, outputCount) {
      if (young.txs === capacity || young.outputs + outputCount > young.scriptIds.length) rotate();
      if (young.txs === 0) young.firstOutput = id;
      // A transaction with more outputs than a generation holds is left to the database.
      if (outputCount > young.scriptIds.length) return;
      let slot = keyOfHash(txids, offset) & mask;
      // A coinbase of the same txid (BIP-30's exceptions) gives its place to the later one.
      while (young.slots[slot] !== 0 && !equalAt(young.txids, (young.slots[slot]! - 1) * 32, txids, offset)) {
        slot = (slot + 1) & mask;
      }
      young.slots[slot] = young.txs + 1;
      for (let i = 0; i < 32; i++) young.txids[young.txs * 32 + i] = txids[offset + i]!;
      young.ids[young.txs] = id;
      young.txs++;
      young.outputs = id - young.firstOutput + outputCount;
    },
    setOutput(outputId, scriptId, value) {
      const generation = generationOf(outputId);
      if (!generation) return;
      const at = outputId - generation.firstOutput;
      generation.scriptIds[at] = scriptId;
      generation.values[at] = value;
    },
    findTransaction(txids, offset) {
      const slot = keyOfHash(txids, offset) & mask;
      const id = findIn(young, slot, mask, txids, offset);
      return id >= 0 ? id : findIn(old, slot, mask, txids, offset);
    },
    hasOutput: (outputId) => generationOf(outputId) !== undefined,
    getScriptId: (outputId) => {
      const generation = generationOf(outputId);
      return generation!.scriptIds[outputId - generation!.firstOutput]!;
    },
    getValue: (outputId) => {
      const generation = generationOf(outputId);
      return generation!.values[outputId - generation!.firstOutput]!;
    },
    clear() {
      for (const generation of [young, old]) {
        generation.slots.fill(0);
        generation.txs = 0;
        generation.outputs = 0;
      }
    },
  };
}

function createGeneration(capacity: number): Generation {
  return {
    slots: new Int32Array(capacity * 2),
    txids: new Uint8Array(capacity * 32),
    ids: new Float64Array(capacity),
    txs: 0,
    firstOutput: 0,
    outputs: 0,
    // Two outputs a transaction are the rule.
    scriptIds: new Float64Array(capacity * 2),
    values: new BigInt64Array(capacity * 2),
  };
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
    if (equalAt(generation.txids, (index - 1) * 32, txids, offset)) return generation.ids[index - 1]!;
  }
}

function equalAt(a: Uint8Array, aOffset: number, b: Uint8Array, bOffset: number): boolean {
  for (let i = 0; i < 32; i++) {
    if (a[aOffset + i] !== b[bOffset + i]) return false;
  }
  return true;
}
