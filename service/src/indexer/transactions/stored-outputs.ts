import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import type { Reader } from '../../db/database.ts';
import { readInSlices } from '../disk/read-in-slices.ts';
import { copySection } from '../runs/copy-sections.ts';
import type { RunFile } from '../runs/run-file.ts';
import { OUTPUT_ENTRY_BYTES, OUTPUTS, OUTPUTS_A_SLOT, SLOT_BYTES } from '../runs/run-file-format.ts';
import type { RunPage } from '../runs/run-page.ts';
import type { Run, RunSet } from '../runs/run-set.ts';
import { decodeOutput, type StoredOutput } from './decode-output.ts';
import { visitTableOutputs, visitTableRange } from './output-pages.ts';

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
  const readPage = createPageReader();
  await readInSlices(
    log?.pace,
    locateOutputs(runs, outputIds),
    ({ file, index }) => file.touch(OUTPUTS, Math.floor(index / OUTPUTS_A_SLOT)),
    ({ file, outputId, index }) => {
      const { data, start } = readPage(file, Math.floor(index / OUTPUTS_A_SLOT));
      visit(decodeOutput(data, start + (index % OUTPUTS_A_SLOT) * OUTPUT_ENTRY_BYTES, outputId));
    },
  );
}

/**
 * The keys of the scripts that neighbouring outputs pay, 16 bytes each.
 *
 * @throws DatabaseDamagedError where there is none
 */
export async function readOutputKeys(
  reader: Reader,
  { runs, log }: RunSet,
  first: number,
  count: number,
): Promise<Uint8Array> {
  const keys = new Uint8Array(count * SCRIPT_KEY_BYTES);
  const put = (outputId: number, bytes: Uint8Array, at: number): void => {
    const to = (outputId - first) * SCRIPT_KEY_BYTES;
    for (let i = 0; i < SCRIPT_KEY_BYTES; i++) keys[to + i] = bytes[at + i]!;
  };
  if (reader.folder === undefined) await visitTableRange(reader, first, count, put);
  else {
    const slot = new Uint8Array(SLOT_BYTES);
    await readInSlices(
      log?.pace,
      listStretches(runs, first, first + count),
      ({ file, page }) => file.touch(OUTPUTS, page),
      ({ file, page, index, outputId, end }) => {
        const { data, start } = file.read(OUTPUTS, page, slot);
        for (let id = outputId; id < end; id++)
          put(id, data, start + (index + id - outputId) * OUTPUT_ENTRY_BYTES);
      },
    );
  }
  return keys;
}

/**
 * The first outputs of a run, 24 bytes each.
 *
 * @throws DatabaseDamagedError where one is missing
 */
export async function readFirstOutputs(reader: Reader, run: Run, count: number): Promise<Uint8Array> {
  const outputs = new Uint8Array(count * OUTPUT_ENTRY_BYTES);
  let used = 0;
  const add = (entries: Uint8Array): void => {
    const taken = entries.subarray(0, outputs.length - used);
    outputs.set(taken, used);
    used += taken.length;
  };
  if (run.file) copySection([run], OUTPUTS, { add, finish() {} }).advance(count);
  else
    await visitTableRange(reader, run.firstOutput, count, (_, bytes, at) =>
      add(bytes.subarray(at, at + OUTPUT_ENTRY_BYTES)),
    );
  if (used < outputs.length) throw new Error(`a run has ${used / OUTPUT_ENTRY_BYTES} outputs, not ${count}`);
  return outputs;
}

/** Neighbouring outputs of one page, `outputId .. end - 1`; `index`: of the first, on the page. */
type Stretch = { file: RunFile; page: number; index: number; outputId: number; end: number };

function listStretches(runs: readonly Run[], first: number, end: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let outputId = first; outputId < end; ) {
    const run = runs.find(({ endOutput }) => endOutput > outputId);
    if (!run?.file) throw new Error(`output ${outputId} is in no run`);
    const before = outputId - run.firstOutput;
    const page = Math.floor(before / OUTPUTS_A_SLOT);
    const pageEnd = Math.min(run.endOutput, run.firstOutput + (page + 1) * OUTPUTS_A_SLOT, end);
    stretches.push({ file: run.file, page, index: before % OUTPUTS_A_SLOT, outputId, end: pageEnd });
    outputId = pageEnd;
  }
  return stretches;
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

/** Reads pages of outputs one after another; one that is asked for again at once is there: most coins that are spent are young, and neighbours. */
function createPageReader(): (file: RunFile, page: number) => RunPage {
  const slot = new Uint8Array(SLOT_BYTES);
  let last: { file: RunFile; page: RunPage } | undefined;
  return (file, number) => {
    if (last?.file !== file || last.page.number !== number) {
      // What fails leaves the slot with something else.
      last = undefined;
      last = { file, page: file.read(OUTPUTS, number, slot) };
    }
    return last.page;
  };
}
