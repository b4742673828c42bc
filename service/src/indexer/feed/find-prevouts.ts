import { equalBytes, equalRanges } from '@coinfront/protocol/bytes.ts';
import type { Database, Reader } from '../../db/database.ts';
import { createDiskPace, type DiskPace } from '../disk/disk-pace.ts';
import { findManyTxIds } from '../runs/read-txs.ts';
import { txRuns } from '../runs/run-kinds.ts';
import type { RunSet } from '../runs/run-set.ts';
import { createRunSetReader } from '../runs/runs-version.ts';
import type { StoredOutput } from '../transactions/decode-output.ts';
import { visitOutputs } from '../transactions/stored-outputs.ts';
import { findStoredTxs } from '../transactions/tx-store.ts';
import { readVout } from './fetched-block.ts';
import type { SpentTrust } from './spent-trust.ts';

/** What the node says of an output. */
export type SaidOutput = Pick<StoredOutput, 'value' | 'key'>;

/** An input whose prevout is not remembered: its outpoint is in `raw` from `offset` on. */
export type UnknownPrevout = {
  raw: Uint8Array;
  offset: number;
  height: number;
  said?: SaidOutput | undefined;
};

/** An output that an input spends; `key` has 16 bytes that name its script. */
export type FoundPrevout = StoredOutput;

/**
 * Finds prevouts in the index, by input; undefined where it does not have one.
 *
 * @param below outputs from this number on are none of the chain that is prepared: a branch that is to be replaced made them
 */
export type FindPrevouts = (
  inputs: readonly UnknownPrevout[],
  below: number,
) => Promise<(FoundPrevout | undefined)[]>;

/** Filters of transactions that are held for looking up prevouts. */
const FILTER_BYTES = 64 << 20;
/** A connection has one processor of PostgreSQL's: with two, what a block spends is looked up in four fifths of the time. */
const CONNECTIONS = 2;
/** Fewer are looked up on one. */
const LEAST_INPUTS = 128;

/**
 * Finds prevouts in what is committed.
 *
 * @param pace says whether the disk is slow
 * @param trust whether what the node says of an output is taken instead of reading it; it is not when not given
 */
export function createPrevoutFinder(
  database: Database,
  pace: DiskPace = createDiskPace(),
  trust?: SpentTrust,
): FindPrevouts {
  const readRuns = createRunSetReader({ kinds: [txRuns], bytes: FILTER_BYTES }, pace);
  // Outputs below a number that the index has never change, so parts may be of different snapshots.
  const find = (inputs: readonly UnknownPrevout[], below: number) =>
    database.snapshot(
      async (reader) => {
        const runs = keepBelow(await readRuns(reader, true), below);
        const outputIds = await findOutputIds(reader, runs, inputs, below);
        return await readOutputs({ reader, runs, trust }, inputs, outputIds);
      },
      { isLarge: true },
    );
  return async (inputs, below) => {
    const parts = database.engine === 'postgres' ? splitInputs(inputs) : [inputs];
    return (await Promise.all(parts.map((part) => find(part, below)))).flat();
  };
}

/** Without the runs of what is to be replaced, of which nothing is asked. */
function keepBelow(set: RunSet, below: number): RunSet {
  return { ...set, runs: set.runs.filter(({ firstOutput }) => firstOutput < below) };
}

function splitInputs(inputs: readonly UnknownPrevout[]): (readonly UnknownPrevout[])[] {
  const length = Math.max(LEAST_INPUTS, Math.ceil(inputs.length / CONNECTIONS));
  const parts: (readonly UnknownPrevout[])[] = [];
  for (let at = 0; at < inputs.length; at += length) parts.push(inputs.slice(at, at + length));
  return parts;
}

/**
 * Numbers of the outputs that inputs spend. 128 bits of a txid name a transaction, unless two have them: then the whole txid decides. Two
 * coinbases of the same txid exist (BIP-30's exceptions): the later one is meant.
 */
async function findOutputIds(
  reader: Reader,
  runs: RunSet,
  inputs: readonly UnknownPrevout[],
  below: number,
): Promise<(number | undefined)[]> {
  const candidates = await findManyTxIds(
    reader,
    runs,
    inputs.map(({ raw, offset }) => ({ bytes: raw, at: offset })),
  );
  const txIds = candidates.map((ids) => ids.filter((id) => id < below));
  await decideBetween(reader, runs, inputs, txIds);
  return txIds.map(([txId], input) => {
    const { raw, offset } = inputs[input]!;
    return txId === undefined ? undefined : txId + readVout(raw, offset);
  });
}

type Sources = { reader: Reader; runs: RunSet; trust: SpentTrust | undefined };

/** Reads outputs, but those that the node told of: of them only samples, and all when a sample is another. */
async function readOutputs(
  sources: Sources,
  inputs: readonly UnknownPrevout[],
  outputIds: readonly (number | undefined)[],
): Promise<(FoundPrevout | undefined)[]> {
  const { reader, runs, trust } = sources;
  const found: (FoundPrevout | undefined)[] = new Array(inputs.length).fill(undefined);
  const wanted: { input: number; outputId: number }[] = [];
  let believed = 0;
  for (const [input, outputId] of outputIds.entries()) {
    if (outputId === undefined) continue;
    const { said } = inputs[input]!;
    if (said && trust?.isTaken && !trust.takesSample()) {
      found[input] = { outputId, ...said };
      believed++;
    } else wanted.push({ input, outputId });
  }
  wanted.sort((a, b) => a.outputId - b.outputId);
  let at = 0;
  await visitOutputs(
    reader,
    runs,
    Float64Array.from(wanted, ({ outputId }) => outputId),
    (output) => {
      const { input } = wanted[at++]!;
      found[input] = output;
      const { said, height } = inputs[input]!;
      if (said && !isSame(said, output))
        trust?.withdraw(`block ${height}: another output than the index has`);
    },
  );
  if (believed === 0 || trust?.isTaken) return found;
  return await readOutputs({ ...sources, trust: undefined }, inputs, outputIds);
}

function isSame(said: SaidOutput, output: StoredOutput): boolean {
  return said.value === output.value && equalBytes(said.key, output.key);
}

/** Leaves of several candidates of an input the latest that has the whole txid. */
async function decideBetween(
  reader: Reader,
  runs: RunSet,
  inputs: readonly UnknownPrevout[],
  txIds: number[][],
): Promise<void> {
  const doubtful = txIds.flatMap((ids, input) => (ids.length > 1 ? [{ ids, input }] : []));
  if (doubtful.length === 0) return;
  const txs = await findStoredTxs(
    reader,
    runs,
    doubtful.flatMap(({ ids }) => ids),
  );
  for (const { ids, input } of doubtful) {
    const { raw, offset } = inputs[input]!;
    const right = ids.filter((id) => equalRanges(txs.get(id)!.txid, 0, raw, offset, 32));
    txIds[input] = right.length === 0 ? [] : [Math.max(...right)];
  }
}
