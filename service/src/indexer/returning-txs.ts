import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import type { FetchedBlock } from './fetched-block.ts';
import { findOutput, listPageTxs, type PagedTx, readPrevouts, readRaw } from './tx-page.ts';
import { findStoredTxs, readScriptOf, type StoredTx } from './tx-store.ts';

/** A transaction whose block goes, with the outputs that its inputs spend. */
export type ReturningTx = { raw: Uint8Array; prevouts: readonly TxOutput[] };

/** Raw bytes that go back to the mempool at once; what a deeper reorg leaves comes with the next look at the node's. */
const MAX_BYTES = 4_000_000;
const PAGES_AT_ONCE = 64;

type PageRow = { first_id: number; position: number; data: Uint8Array };

const FIND_BLOCK = sql<{ first_tx_id: number }>('select first_tx_id from block where height = $1');
const LIST_PAGES = sql<PageRow>(
  'select first_id, position, data from tx_page where first_id >= $1 order by first_id limit $2',
);

/**
 * The transactions of all blocks from `height` up, in chain order, that wait to be mined again when those blocks go:
 * none that is in `replacement`, no coinbases, and nothing that builds on these.
 */
export async function listReturningTxs(
  reader: Reader,
  height: number,
  replacement: readonly FetchedBlock[],
): Promise<ReturningTx[]> {
  const block = await reader.get(FIND_BLOCK, [height]);
  if (!block) return [];
  const mined = new Set(replacement.flatMap(listTxids));
  /** Ids of transactions that cannot come again. */
  const lost = new Set<number>();
  const returning: ReturningTx[] = [];
  let bytes = 0;
  let from = block.first_tx_id;
  for (;;) {
    const pages = await reader.all(LIST_PAGES, [from, PAGES_AT_ONCE]);
    const txs: PagedTx[] = [];
    for (const { first_id, position, data } of pages) {
      for (const tx of listPageTxs(data, first_id)) {
        if (position + tx.index === 0) lost.add(tx.id);
        else if (!mined.has(bytesToHex(tx.txid))) txs.push(tx);
      }
    }
    const sources = await findStoredTxs(reader, txs.flatMap(listPrevoutIds));
    for (const tx of txs) {
      const outputIds = listPrevoutIds(tx);
      if (outputIds.some((id) => lost.has(sources.get(id)!.id))) {
        lost.add(tx.id);
        continue;
      }
      // A copy: the page goes with its block.
      const raw = new Uint8Array(readRaw(tx));
      bytes += raw.length;
      if (bytes > MAX_BYTES) return returning;
      returning.push({ raw, prevouts: outputIds.map((id) => readOutput(sources.get(id)!, id)) });
    }
    if (pages.length < PAGES_AT_ONCE) return returning;
    from = pages.at(-1)!.first_id + 1;
  }
}

function listPrevoutIds(tx: PagedTx): number[] {
  return readPrevouts(tx).filter((id) => id !== undefined);
}

function readOutput(source: StoredTx, outputId: number): TxOutput {
  const vout = outputId - source.id;
  return { value: findOutput(source, vout)!.value, script: readScriptOf(source, vout) };
}

function listTxids({ scan }: FetchedBlock): string[] {
  return Array.from({ length: scan.txCount }, (_, t) => bytesToHex(scan.txid.subarray(t * 32, t * 32 + 32)));
}
