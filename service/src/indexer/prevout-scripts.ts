import type { Reader } from '../db/database.ts';
import type { FetchedBlock } from './fetched-block.ts';
import type { ResolvedInputs } from './resolve-inputs.ts';
import type { ScriptMemory } from './script-memory.ts';
import { findStoredTxs, readScriptOf } from './tx-store.ts';

/** The scripts that the inputs of a batch spend. */
export type PrevoutScripts = {
  /** By number of the input in the batch; undefined for a coinbase input. */
  find(inputs: readonly number[]): Promise<(Uint8Array | undefined)[]>;
};

/**
 * Finds scripts where the least has to be read: in the batch's own blocks, in the memory of scripts, and only then in the
 * database, which is asked once for all.
 *
 * @param firstOutputId number of the first output of the batch
 * @param reader sees the transactions of earlier batches
 */
export function createPrevoutScripts(
  blocks: readonly FetchedBlock[],
  inputs: ResolvedInputs,
  firstOutputId: number,
  memory: ScriptMemory,
  reader: Reader,
): PrevoutScripts {
  const firstOutputs: number[] = [];
  let outputs = 0;
  for (const { scan } of blocks) {
    firstOutputs.push(outputs);
    outputs += scan.outputCount;
  }
  const findInBatch = (output: number): Uint8Array => {
    let b = firstOutputs.length - 1;
    while (firstOutputs[b]! > output) b--;
    const { scan } = blocks[b]!;
    const at = scan.scriptOffset[output - firstOutputs[b]!]!;
    return scan.raw.subarray(at, at + scan.scriptLength[output - firstOutputs[b]!]!);
  };

  return {
    async find(wanted) {
      const unread = new Set<number>();
      const found = wanted.map((input) => {
        const outputId = inputs.outputId[input]!;
        if (outputId < 0) return undefined;
        if (outputId >= firstOutputId) return findInBatch(outputId - firstOutputId);
        const script = memory.find(inputs.scriptId[input]!);
        if (!script) unread.add(outputId);
        return script;
      });
      if (unread.size === 0) return found;
      const stored = await findStoredTxs(reader, [...Float64Array.from(unread).sort()]);
      return found.map((script, i) => {
        const outputId = inputs.outputId[wanted[i]!]!;
        const source = script ? undefined : stored.get(outputId);
        if (!source) return script;
        const read = readScriptOf(source, outputId - source.id).slice();
        memory.add(inputs.scriptId[wanted[i]!]!, read);
        return read;
      });
    },
  };
}
