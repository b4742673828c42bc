import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { equalRanges } from '@coinfront/protocol/bytes.ts';
import type { Database, Reader } from '../../db/database.ts';
import { keyOfScript } from '../encoding/hashes.ts';
import { findManyTxIds } from '../runs/read-txs.ts';
import { txRuns } from '../runs/run-kinds.ts';
import type { RunSet } from '../runs/run-set.ts';
import { createRunSetReader } from '../runs/runs-version.ts';
import { createOutputReader } from '../transactions/output-reader.ts';
import { visitStoredTxs } from '../transactions/tx-store.ts';
import { readVout } from './fetched-block.ts';

/** An input whose prevout is not remembered: its outpoint is in `raw` from `offset` on. */
export type UnknownPrevout = { raw: Uint8Array; offset: number; height: number };

/** An output that an input spends. */
export type FoundPrevout = { outputId: number; value: bigint; key: Uint8Array };

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
const FILTER_BYTES = 128 << 20;

/** Finds prevouts in what is committed. */
export function createPrevoutFinder(database: Database): FindPrevouts {
  const readRuns = createRunSetReader({ kinds: [txRuns], bytes: FILTER_BYTES });
  return (inputs, below) =>
    database.snapshot(async (reader) => await readPrevouts(reader, await readRuns(reader), inputs, below));
}

/**
 * Finds prevouts in what a reader sees: candidates by key, believed when the whole txid agrees. Two coinbases of the same txid
 * exist (BIP-30's exceptions): the later one is meant.
 */
export async function readPrevouts(
  reader: Reader,
  runs: RunSet,
  inputs: readonly UnknownPrevout[],
  below: number,
): Promise<(FoundPrevout | undefined)[]> {
  const found: (FoundPrevout | undefined)[] = new Array(inputs.length).fill(undefined);
  const candidates = await findManyTxIds(
    reader,
    runs,
    inputs.map(({ raw, offset }) => ({ bytes: raw, at: offset })),
  );
  const inputsOf = new Map<number, number[]>();
  for (const [input, ids] of candidates.entries()) {
    for (const id of ids) {
      if (id >= below) continue;
      const others = inputsOf.get(id);
      if (others) others.push(input);
      else inputsOf.set(id, [input]);
    }
  }
  const outputs = createOutputReader();
  await visitStoredTxs(reader, inputsOf.keys(), (tx, id) => {
    for (const input of inputsOf.get(id)!) {
      const { raw, offset } = inputs[input]!;
      if (!equalRanges(tx.txid, 0, raw, offset, 32)) continue;
      const vout = readVout(raw, offset);
      const output = outputs.find(tx, vout);
      const key = output && keyOfScript(output.script);
      // By ascending id: a later one takes the place of an earlier.
      found[input] = key && {
        outputId: tx.id + vout,
        value: output.value,
        key: key.slice(0, SCRIPT_KEY_BYTES),
      };
    }
    outputs.forget();
  });
  return found;
}
