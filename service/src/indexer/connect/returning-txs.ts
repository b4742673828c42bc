import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { FetchedBlock } from '../feed/fetched-block.ts';
import type { RunSet } from '../runs/run-set.ts';
import { createOutputReader, type OutputReader } from '../transactions/output-reader.ts';
import { listPageTxs, type PagedTx, readPrevouts, readRaw } from '../transactions/tx-page.ts';
import { listTxPages } from '../transactions/tx-pages.ts';
import { findStoredTxs, type StoredTx } from '../transactions/tx-store.ts';

/** A transaction whose block goes, with the outputs that its inputs spend. */
export type ReturningTx = { raw: Uint8Array; prevouts: readonly TxOutput[] };

/** A transaction that goes for good, so nothing can spend its outputs. */
export type LostTx = { txid: Uint8Array; outputCount: number };

/** What becomes of the transactions of blocks that go and are not in those that come. */
export type UnminedTxs = { returning: ReturningTx[]; lost: LostTx[] };

/** Raw bytes that go back to the mempool at once; what a deeper reorg leaves comes with the next look at the node's. */
const MAX_BYTES = 2_000_000;
const PAGES_AT_ONCE = 64;

const FIND_BLOCK = sql<{ first_tx_id: number }>('select first_tx_id from block where height = $1');

/**
 * Tells the transactions of all blocks from `height` up apart, before those blocks go: what is in `replacement` is
 * passed over; coinbases, what builds on them, and what is too much are lost; the rest returns.
 *
 * @param wantsLost whether all that is lost is to be listed, however much it is
 */
export async function listUnminedTxs(
  reader: Reader,
  runs: RunSet,
  height: number,
  replacement: readonly FetchedBlock[],
  wantsLost: boolean,
): Promise<UnminedTxs> {
  const unmined: UnminedTxs = { returning: [], lost: [] };
  const block = await reader.get(FIND_BLOCK, [height]);
  if (!block) return unmined;
  const mined = new Set(replacement.flatMap(listTxids));
  // What is kept of a transaction is copied: its page goes with the block.
  const lostIds = new Set<number>();
  const lose = (tx: PagedTx): void => {
    lostIds.add(tx.id);
    unmined.lost.push({ txid: new Uint8Array(tx.txid), outputCount: tx.outputCount });
  };
  let bytes = 0;
  let from = block.first_tx_id;
  for (;;) {
    const pages = await listTxPages(reader, runs, {
      from,
      end: Number.MAX_SAFE_INTEGER,
      limit: PAGES_AT_ONCE,
    });
    const txs: PagedTx[] = [];
    for (const { firstId, position, data } of pages) {
      for (const tx of listPageTxs(data, firstId)) {
        if (position + tx.index === 0) lose(tx);
        else if (!mined.has(bytesToHex(tx.txid))) txs.push(tx);
      }
    }
    // Of what follows nothing has room, and there may be a great deal of it.
    const isFull = bytes > MAX_BYTES;
    if (isFull && !wantsLost) return unmined;
    const sources = isFull ? undefined : await findStoredTxs(reader, runs, txs.flatMap(listPrevoutIds));
    const outputs = createOutputReader();
    for (const tx of txs) {
      const returning = sources && copyReturning(tx, sources, outputs, lostIds);
      bytes += returning?.raw.length ?? 0;
      if (returning && bytes <= MAX_BYTES) unmined.returning.push(returning);
      else lose(tx);
    }
    if (pages.length < PAGES_AT_ONCE) return unmined;
    from = pages.at(-1)!.firstId + 1;
  }
}

/** A transaction with what it spends; undefined where that is lost. */
function copyReturning(
  tx: PagedTx,
  sources: ReadonlyMap<number, StoredTx>,
  outputs: OutputReader,
  lostIds: ReadonlySet<number>,
): ReturningTx | undefined {
  const outputIds = listPrevoutIds(tx);
  if (outputIds.some((id) => lostIds.has(sources.get(id)!.id))) return undefined;
  const prevouts = outputIds.map((id) => readOutput(outputs, sources.get(id)!, id));
  return { raw: new Uint8Array(readRaw(tx)), prevouts };
}

function listPrevoutIds(tx: PagedTx): number[] {
  return readPrevouts(tx).filter((id) => id !== undefined);
}

function readOutput(outputs: OutputReader, source: StoredTx, outputId: number): TxOutput {
  return outputs.find(source, outputId - source.id)!;
}

function listTxids({ scan }: FetchedBlock): string[] {
  return Array.from({ length: scan.txCount }, (_, t) => bytesToHex(scan.txid.subarray(t * 32, t * 32 + 32)));
}
