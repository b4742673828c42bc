import type { Reader } from '../../db/database.ts';
import type { PreparedBatch } from '../feed/prepare-batch.ts';
import type { SpentOutput } from '../parts/part.ts';
import type { RunSet } from '../runs/run-set.ts';
import { createOutputReader } from '../transactions/output-reader.ts';
import { findStoredTxs } from '../transactions/tx-store.ts';

/** The scripts that the inputs of a batch spend. */
export type PrevoutScripts = {
  /** By number of the input in the batch; undefined for a coinbase input. */
  find(inputs: readonly number[]): Promise<(SpentOutput | undefined)[]>;
};

/**
 * Finds scripts in the batch's own blocks, and what is older in the database, which is asked once for all.
 *
 * @param firstOutput number of the first output of the batch
 * @param reader with its runs sees the transactions of earlier batches
 */
export function createPrevoutScripts(
  { blocks, spentOutput }: PreparedBatch,
  firstOutput: number,
  reader: Reader,
  runs: RunSet,
): PrevoutScripts {
  const firstOutputs: number[] = [];
  let next = firstOutput;
  for (const { scan } of blocks) {
    firstOutputs.push(next);
    next += scan.outputCount;
  }
  const readInBatch = (outputId: number): Uint8Array => {
    let low = 0;
    let high = firstOutputs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firstOutputs[middle]! <= outputId) low = middle;
      else high = middle - 1;
    }
    const { scan } = blocks[low]!;
    const at = scan.scriptOffset[outputId - firstOutputs[low]!]!;
    return scan.raw.subarray(at, at + scan.scriptLength[outputId - firstOutputs[low]!]!);
  };

  return {
    async find(wanted) {
      const older = new Set(
        wanted.map((input) => spentOutput[input]!).filter((id) => id >= 0 && id < firstOutput),
      );
      const stored = older.size === 0 ? undefined : await findStoredTxs(reader, runs, older);
      const outputs = createOutputReader();
      return wanted.map((input) => {
        const outputId = spentOutput[input]!;
        if (outputId < 0) return undefined;
        if (outputId >= firstOutput) return { script: readInBatch(outputId), outputId };
        const source = stored!.get(outputId)!;
        return { script: outputs.find(source, outputId - source.id)!.script.slice(), outputId };
      });
    },
  };
}
