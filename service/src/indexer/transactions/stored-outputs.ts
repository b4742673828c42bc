import type { Reader } from '../../db/database.ts';
import { readInSlices } from '../disk/read-in-slices.ts';
import type { RunFile } from '../runs/run-file.ts';
import { OUTPUT_ENTRY_BYTES, OUTPUTS, OUTPUTS_A_SLOT, SLOT_BYTES } from '../runs/run-file-format.ts';
import type { Run, RunSet } from '../runs/run-set.ts';
import { decodeOutput, type StoredOutput } from './decode-output.ts';
import { visitTableOutputs } from './output-pages.ts';

/**
 * Hands over outputs of the runs by their numbers, ascending.
 *
 * @throws DatabaseDamagedError where there is none
 */
export async function visitOutputs(
  reader: Reader,
  { runs, log }: RunSet,
  outputIds: ArrayLike<number>,
  visit: (output: StoredOutput) => void,
): Promise<void> {
  if (reader.folder === undefined) return await visitTableOutputs(reader, outputIds, visit);
  const slot = new Uint8Array(SLOT_BYTES);
  await readInSlices(
    log?.pace,
    locateOutputs(runs, outputIds),
    ({ file, index }) => file.touch(OUTPUTS, Math.floor(index / OUTPUTS_A_SLOT)),
    ({ file, outputId, index }) => visit(readOutput(file, outputId, index, slot)),
  );
}

/** Where an output lies: in which file, and among the outputs there. */
type Located = { outputId: number; file: RunFile; index: number };

function locateOutputs(runs: readonly Run[], outputIds: ArrayLike<number>): Located[] {
  let at = 0;
  return Array.from(outputIds, (outputId) => {
    while (at < runs.length && runs[at]!.endOutput <= outputId) at++;
    const run = runs[at];
    if (!run?.file) throw new Error(`output ${outputId} is in no run`);
    return { outputId, file: run.file, index: outputId - run.firstOutput };
  });
}

/** @param slot may have the page already */
function readOutput(file: RunFile, outputId: number, index: number, slot: Uint8Array): StoredOutput {
  const { data, start } = file.read(OUTPUTS, Math.floor(index / OUTPUTS_A_SLOT), slot);
  const at = start + (index % OUTPUTS_A_SLOT) * OUTPUT_ENTRY_BYTES;
  return decodeOutput(data, at, outputId);
}
