import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { FetchedBlock } from '../feed/fetched-block.ts';
import type { NamedTx } from '../mempool/spent-outputs.ts';
import type { RunSet } from '../runs/run-set.ts';
import { listPageTxs, type PagedTx, readRaw } from '../transactions/tx-page.ts';
import { listTxPages } from '../transactions/tx-pages.ts';

/** A transaction whose block goes. */
export type ReturningTx = NamedTx & { weight: number; fee: bigint };

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
 * passed over; coinbases and what is too much are lost; the rest may return, parents before children.
 *
 * @param maySpend whether the mempool may spend outputs of a transaction: of what is lost, only that is listed; undefined where it is empty
 */
export async function listUnminedTxs(
  reader: Reader,
  runs: RunSet,
  height: number,
  replacement: readonly FetchedBlock[],
  maySpend: ((txid: Uint8Array) => boolean) | undefined,
): Promise<UnminedTxs> {
  const unmined: UnminedTxs = { returning: [], lost: [] };
  const block = await reader.get(FIND_BLOCK, [height]);
  if (!block) return unmined;
  const mined = new Set(replacement.flatMap(listTxids));
  let bytes = 0;
  // What is kept of a transaction is copied: its page goes with the block.
  const sort = (tx: PagedTx, position: number): void => {
    const { outputCount, weight, fee } = tx;
    const txid = bytesToHex(tx.txid);
    const isCoinbase = position === 0 || fee === undefined;
    if (!isCoinbase && mined.has(txid)) return;
    if (!isCoinbase && bytes <= MAX_BYTES) {
      const raw = readRaw(tx);
      bytes += raw.length;
      if (bytes <= MAX_BYTES) {
        unmined.returning.push({ txid, raw: new Uint8Array(raw), weight, fee });
        return;
      }
    }
    if (maySpend?.(tx.txid)) unmined.lost.push({ txid: new Uint8Array(tx.txid), outputCount });
  };
  let from = block.first_tx_id;
  for (;;) {
    const pages = await listTxPages(reader, runs, {
      from,
      end: Number.MAX_SAFE_INTEGER,
      limit: PAGES_AT_ONCE,
    });
    for (const { firstId, position, data } of pages) {
      for (const tx of listPageTxs(data, firstId)) sort(tx, position + tx.index);
    }
    // Of what follows nothing has room, and there may be a great deal of it.
    if (pages.length < PAGES_AT_ONCE || (bytes > MAX_BYTES && !maySpend)) return unmined;
    from = pages.at(-1)!.firstId + 1;
  }
}

function listTxids({ scan }: FetchedBlock): string[] {
  return Array.from({ length: scan.txCount }, (_, t) => bytesToHex(scan.txid.subarray(t * 32, t * 32 + 32)));
}
