import type { Reader } from '../db/database.ts';
import type { FetchedBlock } from './fetched-block.ts';
import { createOutputReader } from './output-reader.ts';
import type { SpentOutput } from './part.ts';
import type { ResolvedInputs } from './resolve-inputs.ts';
import type { BatchScripts } from './resolve-scripts.ts';
import type { ScriptMemory } from './script-memory.ts';
import { findStoredTxs } from './tx-store.ts';

/** The scripts that the inputs of a batch spend. */
export type PrevoutScripts = {
  /** By number of the input in the batch; undefined for a coinbase input. */
  find(inputs: readonly number[]): Promise<(SpentOutput | undefined)[]>;
};

/**
 * Finds scripts where the least has to be read: in the batch's own blocks, in the memory of scripts, and only then in the
 * database, which is asked once for all.
 *
 * @param reader sees the transactions of earlier batches
 */
export function createPrevoutScripts(
  blocks: readonly FetchedBlock[],
  inputs: ResolvedInputs,
  scripts: BatchScripts,
  memory: ScriptMemory,
  reader: Reader,
): PrevoutScripts {
  const firstOutputs: number[] = [];
  let outputs = 0;
  for (const { scan } of blocks) {
    firstOutputs.push(outputs);
    outputs += scan.outputCount;
  }
  const readInBatch = (output: number): Uint8Array => {
    let low = 0;
    let high = firstOutputs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firstOutputs[middle]! <= output) low = middle;
      else high = middle - 1;
    }
    const { scan } = blocks[low]!;
    const at = scan.scriptOffset[output - firstOutputs[low]!]!;
    return scan.raw.subarray(at, at + scan.scriptLength[output - firstOutputs[low]!]!);
  };
  /** Whoever sends change back to where it came from pays the script in the same batch. */
  const findKnown = (slot: number): Uint8Array | undefined => {
    if (slot < scripts.paidAt.length) return readInBatch(scripts.paidAt[slot]!);
    return memory.find(scripts.scriptId[slot]!);
  };

  return {
    async find(wanted) {
      const unread = new Set<number>();
      const known = wanted.map((input) => {
        const slot = scripts.slotOfInput[input]!;
        if (slot < 0) return undefined;
        const script = findKnown(slot);
        if (!script) unread.add(inputs.outputId[input]!);
        return script;
      });
      const stored = unread.size === 0 ? undefined : await findStoredTxs(reader, unread);
      const outputs = createOutputReader();
      return known.map((found, i) => {
        const slot = scripts.slotOfInput[wanted[i]!]!;
        if (slot < 0) return undefined;
        const outputId = inputs.outputId[wanted[i]!]!;
        if (found) return { script: found, outputId };
        const source = stored!.get(outputId)!;
        const script = outputs.readScript(source, outputId - source.id).slice();
        memory.add(scripts.scriptId[slot]!, script);
        return { script, outputId };
      });
    },
  };
}
