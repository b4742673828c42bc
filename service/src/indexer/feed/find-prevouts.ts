import { equalRanges } from '@coinfront/protocol/bytes.ts';
import type { Database, Reader } from '../../db/database.ts';
import { createDiskPace, type DiskPace } from '../disk/disk-pace.ts';
import { findManyTxIds } from '../runs/read-txs.ts';
import { txRuns } from '../runs/run-kinds.ts';
import type { RunSet } from '../runs/run-set.ts';
import { createRunSetReader } from '../runs/runs-version.ts';
import { type StoredOutput, visitOutputs } from '../transactions/stored-outputs.ts';
import { findStoredTxs } from '../transactions/tx-store.ts';
import { readVout } from './fetched-block.ts';

/** An input whose prevout is not remembered: its outpoint is in `raw` from `offset` on. */
export type UnknownPrevout = { raw: Uint8Array; offset: number; height: number };

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

/**
 * Finds prevouts in what is committed.
 * @param pace says whether the disk is slow
 */
export function createPrevoutFinder(database: Database, pace: DiskPace = createDiskPace()): FindPrevouts {
  const readRuns = createRunSetReader({ kinds: [txRuns], bytes: FILTER_BYTES }, pace);
  return (inputs, below) =>
    database.snapshot(async (reader) => await readPrevouts(reader, await readRuns(reader), inputs, below));
}

/**
 * Finds prevouts in what a reader sees. 128 bits of a txid name a transaction, unless two have them: then the whole txid decides. Two
 * coinbases of the same txid exist (BIP-30's exceptions): the later one is meant.
 */
export async function readPrevouts(
  reader: Reader,
  runs: RunSet,
  inputs: readonly UnknownPrevout[],
  below: number,
): Promise<(FoundPrevout | undefined)[]> {
  const candidates = await findManyTxIds(
    reader,
    runs,
    inputs.map(({ raw, offset }) => ({ bytes: raw, at: offset })),
  );
  const txIds = candidates.map((ids) => ids.filter((id) => id < below));
  await decideBetween(reader, runs, inputs, txIds);
  const wanted: { input: number; outputId: number }[] = [];
  for (const [input, [txId]] of txIds.entries()) {
    if (txId === undefined) continue;
    const { raw, offset } = inputs[input]!;
    wanted.push({ input, outputId: txId + readVout(raw, offset) });
  }
  wanted.sort((a, b) => a.outputId - b.outputId);
  const found: (FoundPrevout | undefined)[] = new Array(inputs.length).fill(undefined);
  let at = 0;
  const outputIds = Float64Array.from(wanted, ({ outputId }) => outputId);
  await visitOutputs(reader, runs, outputIds, (output) => {
    found[wanted[at]!.input] = output;
    at++;
  });
  return found;
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
