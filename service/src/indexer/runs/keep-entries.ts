import type { Reader } from '../../db/database.ts';
import { viewOf } from '../encoding/copy-entry.ts';
import { readUint48 } from '../encoding/uint48.ts';
import { readFirstOutputs } from '../transactions/stored-outputs.ts';
import { openEntryStreams } from './entry-streams.ts';
import type { FreshEntries } from './fresh-entries.ts';
import { OUTPUT_ENTRY_BYTES } from './run-file-format.ts';
import {
  COIN_OUTPUT_AT,
  COIN_SIGN_AT,
  coinRuns,
  HISTORY_TX_AT,
  historyRuns,
  type RunKind,
  SPENDER_AT,
  spendRuns,
  TX_KEY_BYTES,
  txRuns,
} from './run-kinds.ts';
import type { Run } from './run-set.ts';

/**
 * Puts what stays of a run into `fresh` when its transactions from a number on are undone. All of it can be told from the run; its
 * transactions would have to be parsed and hashed again.
 *
 * @param endOutput the first number that is undone
 */
export async function keepEntries(
  reader: Reader,
  run: Run,
  endOutput: number,
  fresh: FreshEntries,
): Promise<void> {
  const { firstOutput } = run;
  const keptOutputs = endOutput - firstOutput;
  const share = keptOutputs / (run.endOutput - firstOutput);
  fresh.reserve({
    txs: Math.ceil(run.txs * share),
    inputs: Math.ceil(run.entries[spendRuns.code]! * share),
    outputs: keptOutputs,
  });
  const outputs = await readFirstOutputs(reader, run, keptOutputs);
  fresh.addOutputEntries(outputs);
  const keep = (kind: RunKind, stays: (entries: Uint8Array, at: number) => boolean): Promise<void> =>
    visitEntries(reader, run, kind, (entries, at) => {
      if (stays(entries, at)) fresh.addEntry(kind, entries, at);
    });

  await keep(txRuns, (entries, at) => readUint48(entries, at + TX_KEY_BYTES) < endOutput);
  await keep(historyRuns, (entries, at) => readUint48(entries, at + HISTORY_TX_AT) < endOutput);
  /** Outputs that nothing spends any more. */
  const unspent = new Set<number>();
  await keep(spendRuns, (entries, at) => {
    if (readUint48(entries, at + SPENDER_AT) < endOutput) return true;
    unspent.add(readUint48(entries, at));
    return false;
  });
  await keep(coinRuns, (entries, at) => {
    const outputId = readUint48(entries, at + COIN_OUTPUT_AT);
    return entries[at + COIN_SIGN_AT] === 0 ? outputId < endOutput : !unspent.has(outputId);
  });
  // Among its coins the run has no entry of an output that it makes and spends.
  const outputView = viewOf(outputs);
  for (const outputId of unspent)
    if (outputId >= firstOutput && outputId < endOutput)
      fresh.addCoin(outputView, (outputId - firstOutput) * OUTPUT_ENTRY_BYTES, outputId, false);
}

async function visitEntries(
  reader: Reader,
  run: Run,
  kind: RunKind,
  visit: (entries: Uint8Array, at: number) => void,
): Promise<void> {
  if (run.entries[kind.code] === 0) return;
  const streams = openEntryStreams(reader, [run], kind);
  for (;;) {
    await streams.readPages();
    if (streams.haveEnded) return;
    streams.takeInOrder({ add: visit }, Number.POSITIVE_INFINITY);
  }
}
