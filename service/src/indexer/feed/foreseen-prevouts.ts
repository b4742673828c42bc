import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { equalBytes, equalRanges } from '@coinfront/protocol/bytes.ts';
import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import { OUTPOINT_BYTES, readVout } from './fetched-block.ts';
import type { FindPrevouts, FoundPrevout, SaidOutput } from './find-prevouts.ts';
import { spreadKey } from './spread-key.ts';

/** Outputs of the chain that the mempool spends, in columns: outpoints as inputs have them, and what the index has of each. */
export type ForeseenPrevouts = {
  outpoints: Uint8Array<ArrayBuffer>;
  outputIds: Float64Array<ArrayBuffer>;
  values: BigInt64Array<ArrayBuffer>;
  keys: Uint8Array<ArrayBuffer>;
};

/**
 * What the mempool spends of the chain. Whoever holds the mempool has looked it up when a transaction came, so that the block that
 * mines it need not, however old it is and wherever on the disk.
 */
export type ForeseenMemory = {
  /** Takes over what was looked up in the chain as it is now. */
  add(foreseen: ForeseenPrevouts): void;
  /** Blocks from this output number on are about to come. Where others had it, they go: all is forgotten. */
  beginAt(firstOutput: number): void;
  /** Finds prevouts, those that are not here by the finder that was given. */
  find: FindPrevouts;
};

/** About twice as many are held, in 10 MB; a block spends some thousands. */
const CAPACITY = 2 ** 16;

/** Open addressing; a slot holds an outpoint's index plus one. Twice as many slots as outpoints. */
type Generation = ForeseenPrevouts & { slots: Int32Array; count: number };

/**
 * Begins with none, and without room for any.
 *
 * @param capacity outpoints a generation, a power of two: when the young one is full it becomes the old one and the oldest are forgotten
 */
export function createForeseenMemory(findInIndex: FindPrevouts, capacity = CAPACITY): ForeseenMemory {
  const mask = capacity * 2 - 1;
  const shift = Math.clz32(mask);
  let generations: { young: Generation; old: Generation } | undefined;
  let endOutput = 0;

  const findIn = (
    { slots, outpoints, outputIds, values, keys }: Generation,
    raw: Uint8Array,
    at: number,
  ): FoundPrevout | undefined => {
    for (let slot = placeOf(raw, at) >>> shift; ; slot = (slot + 1) & mask) {
      const index = slots[slot]! - 1;
      if (index < 0) return undefined;
      if (!equalRanges(outpoints, index * OUTPOINT_BYTES, raw, at, OUTPOINT_BYTES)) continue;
      // A copy: its place is used again.
      const key = keys.slice(index * SCRIPT_KEY_BYTES, (index + 1) * SCRIPT_KEY_BYTES);
      return { outputId: outputIds[index]!, value: values[index]!, key };
    }
  };

  const addTo = (generation: Generation, foreseen: ForeseenPrevouts, from: number): void => {
    const { slots, outpoints, outputIds, values, keys, count } = generation;
    let slot = placeOf(foreseen.outpoints, from * OUTPOINT_BYTES) >>> shift;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = count + 1;
    copyItem(foreseen.outpoints, from, outpoints, count, OUTPOINT_BYTES);
    copyItem(foreseen.keys, from, keys, count, SCRIPT_KEY_BYTES);
    outputIds[count] = foreseen.outputIds[from]!;
    values[count] = foreseen.values[from]!;
    generation.count++;
  };

  const lookUp = (raw: Uint8Array, at: number): FoundPrevout | undefined =>
    generations && (findIn(generations.young, raw, at) ?? findIn(generations.old, raw, at));

  return {
    add(foreseen) {
      generations ??= { young: createGeneration(capacity), old: createGeneration(capacity) };
      for (let i = 0; i < foreseen.outputIds.length; i++) {
        // One that came again has the same.
        if (lookUp(foreseen.outpoints, i * OUTPOINT_BYTES)) continue;
        if (generations.young.count === capacity) {
          generations = { young: empty(generations.old), old: generations.young };
        }
        addTo(generations.young, foreseen, i);
        endOutput = Math.max(endOutput, foreseen.outputIds[i]! + 1);
      }
    },
    beginAt(firstOutput) {
      if (generations === undefined || firstOutput >= endOutput) return;
      empty(generations.young);
      empty(generations.old);
      endOutput = 0;
    },
    async find(inputs, below) {
      if (endOutput === 0) return await findInIndex(inputs, below);
      const found = inputs.map(({ raw, offset, said }) => {
        const here = lookUp(raw, offset);
        return here && here.outputId < below && isAsSaid(here, said) ? here : undefined;
      });
      const missing = inputs.filter((_, i) => found[i] === undefined);
      if (missing.length === 0) return found;
      const others = (await findInIndex(missing, below)).values();
      return found.map((prevout) => prevout ?? others.next().value);
    },
  };
}

/** Where the node says something else the index is asked, and that the node is not believed any more. */
function isAsSaid({ value, key }: FoundPrevout, said: SaidOutput | undefined): boolean {
  return said === undefined || (said.value === value && equalBytes(said.key, key));
}

/** In 32 bits. Outputs of one transaction are spent together, and lie apart. */
function placeOf(bytes: Uint8Array, at: number): number {
  return (spreadKey(keyOfHash(bytes, at)) + Math.imul(readVout(bytes, at), 0x9e3779b1)) >>> 0;
}

function copyItem(from: Uint8Array, index: number, to: Uint8Array, at: number, bytes: number): void {
  for (let i = 0; i < bytes; i++) to[at * bytes + i] = from[index * bytes + i]!;
}

function createGeneration(capacity: number): Generation {
  return {
    slots: new Int32Array(capacity * 2),
    outpoints: new Uint8Array(capacity * OUTPOINT_BYTES),
    outputIds: new Float64Array(capacity),
    values: new BigInt64Array(capacity),
    keys: new Uint8Array(capacity * SCRIPT_KEY_BYTES),
    count: 0,
  };
}

function empty(generation: Generation): Generation {
  generation.slots.fill(0);
  generation.count = 0;
  return generation;
}
