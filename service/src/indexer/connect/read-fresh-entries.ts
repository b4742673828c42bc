import { isUnspendable } from '@coinfront/protocol/script.ts';
import type { Reader } from '../../db/database.ts';
import { keyOfScript } from '../encoding/hashes.ts';
import type { FreshEntries } from '../runs/fresh-entries.ts';
import { OUTPUT_ENTRY_BYTES } from '../runs/run-file-format.ts';
import type { RunSet } from '../runs/run-set.ts';
import { decodeOutput, type StoredOutput } from '../transactions/decode-output.ts';
import { visitOutputs } from '../transactions/stored-outputs.ts';
import { listPageTxs, type PagedTx, readOutputs, readPrevouts } from '../transactions/tx-page.ts';
import { listTxPages } from '../transactions/tx-pages.ts';

const PAGES_AT_ONCE = 256;

/**
 * Makes what blocks add to the indexes anew, from their stored transactions: of those that stay when a run is cut. They are
 * the last ones of the index.
 *
 * @param runs have the outputs of all blocks below
 * @param firstOutput number of their first output
 * @param fresh has nothing yet
 */
export async function readFreshEntries(
  reader: Reader,
  runs: RunSet,
  firstOutput: number,
  fresh: FreshEntries,
): Promise<void> {
  let from = firstOutput;
  for (;;) {
    const pages = await listTxPages(reader, runs, {
      from,
      end: Number.MAX_SAFE_INTEGER,
      limit: PAGES_AT_ONCE,
    });
    const txs = pages.flatMap(({ firstId, height, data }) =>
      listPageTxs(data, firstId).map((tx) => ({ tx, height })),
    );
    const outputIds = Float64Array.from(
      txs.flatMap(({ tx }) => readPrevouts(tx).filter((id) => id !== undefined && id < firstOutput)),
    );
    const spent = new Map<number, StoredOutput>();
    await visitOutputs(reader, runs, outputIds.sort(), (output) => spent.set(output.outputId, output));
    const find = (outputId: number): StoredOutput =>
      spent.get(outputId) ??
      decodeOutput(fresh.outputs, (outputId - firstOutput) * OUTPUT_ENTRY_BYTES, outputId);
    for (const { tx, height } of txs) addTx(tx, height, find, fresh);
    if (pages.length < PAGES_AT_ONCE) return;
    from = pages.at(-1)!.firstId + 1;
  }
}

function addTx(
  tx: PagedTx,
  height: number,
  findSpent: (outputId: number) => StoredOutput,
  fresh: FreshEntries,
): void {
  fresh.addTx(tx.txid, 0, tx.id);
  for (const outputId of readPrevouts(tx)) {
    if (outputId === undefined) continue;
    const { value, key } = findSpent(outputId);
    fresh.addSpend(outputId, tx.id);
    fresh.addChange(key, 0, tx.id, true, ...halvesOf(value));
    fresh.addCoin(key, 0, outputId, true);
  }
  for (const [vout, { value, script }] of readOutputs(tx).entries()) {
    const key = keyOfScript(script);
    fresh.addOutputs(key, BigInt64Array.of(value));
    fresh.addChange(key, 0, tx.id, false, ...halvesOf(value));
    if (height > 0 && !isUnspendable(script)) fresh.addCoin(key, 0, tx.id + vout, false);
  }
}

/** The lower and the upper 32 bits. */
function halvesOf(value: bigint): [number, number] {
  return [Number(value & 0xffffffffn), Number((value >> 32n) & 0xffffffffn)];
}
