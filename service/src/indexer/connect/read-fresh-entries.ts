import { isUnspendable } from '@coinfront/protocol/script.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { keyOfScript } from '../encoding/hashes.ts';
import type { FreshEntries } from '../runs/fresh-entries.ts';
import { type StoredOutput, visitOutputs } from '../transactions/output-pages.ts';
import { listPageTxs, type PagedTx, readOutputs, readPrevouts } from '../transactions/tx-page.ts';

const LIST_PAGES = sql<{ first_id: number; height: number; data: Uint8Array }>(
  'select first_id, height, wide(data) as data from tx_page where first_id >= $1 order by first_id limit $2',
);
const PAGES_AT_ONCE = 256;

/**
 * Makes what blocks add to the indexes anew, from their stored transactions: of those that stay when a run is cut. They are
 * the last ones of the index.
 *
 * @param firstOutput number of their first output
 */
export async function readFreshEntries(
  reader: Reader,
  firstOutput: number,
  fresh: FreshEntries,
): Promise<void> {
  let from = firstOutput;
  for (;;) {
    const pages = await reader.all(LIST_PAGES, [from, PAGES_AT_ONCE]);
    const txs = pages.flatMap(({ first_id, height, data }) =>
      listPageTxs(data, first_id).map((tx) => ({ tx, height })),
    );
    const outputIds = Float64Array.from(
      txs.flatMap(({ tx }) => readPrevouts(tx).filter((id) => id !== undefined)),
    );
    const spent = new Map<number, StoredOutput>();
    await visitOutputs(reader, outputIds.sort(), (output) => spent.set(output.outputId, output));
    for (const { tx, height } of txs) addTx(tx, height, spent, fresh);
    if (pages.length < PAGES_AT_ONCE) return;
    from = pages.at(-1)!.first_id + 1;
  }
}

function addTx(
  tx: PagedTx,
  height: number,
  spent: ReadonlyMap<number, StoredOutput>,
  fresh: FreshEntries,
): void {
  fresh.addTx(tx.txid, 0, tx.id);
  for (const outputId of readPrevouts(tx)) {
    if (outputId === undefined) continue;
    const { value, key } = spent.get(outputId)!;
    fresh.addSpend(outputId, tx.id);
    fresh.addChange(key, 0, tx.id, true, ...halvesOf(value));
    fresh.addCoin(key, 0, outputId, true);
  }
  for (const [vout, { value, script }] of readOutputs(tx).entries()) {
    const key = keyOfScript(script);
    fresh.addChange(key, 0, tx.id, false, ...halvesOf(value));
    if (height > 0 && !isUnspendable(script)) fresh.addCoin(key, 0, tx.id + vout, false);
  }
}

/** The lower and the upper 32 bits. */
function halvesOf(value: bigint): [number, number] {
  return [Number(value & 0xffffffffn), Number((value >> 32n) & 0xffffffffn)];
}
