import { blockHashOf } from '@coinfront/protocol/block.ts';
import { equalBytes, startsWithBytes } from '@coinfront/protocol/bytes.ts';
import { merkleRoot } from '@coinfront/protocol/merkle.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { ConnectedBlock } from '../parts/part.ts';
import type { RunSet } from '../runs/run-set.ts';
import { listPageTxs, type PagedTx, readPrevouts, readRaw } from './tx-page.ts';
import { listTxPages } from './tx-pages.ts';
import { findStoredTxs, readScriptOf } from './tx-store.ts';

/** A block as its row tells it. */
export type StoredBlockRow = {
  height: number;
  hash: Uint8Array;
  header: Uint8Array;
  time: number;
  median_time_past: number;
  tx_count: number;
  first_tx_id: number;
  total_outputs: number;
};

const FIND_BLOCK = sql<StoredBlockRow>(
  `select height, hash, header, time, median_time_past, tx_count, first_tx_id, total_outputs
   from block where height = $1`,
);

const HEADER_ROOT_AT = 36;
const HEADER_ROOT_END = 68;
const HEADER_PREVIOUS_AT = 4;

/** Reads a block of the index as parts see one while it is connected; undefined above the tip. */
export async function readStoredBlock(
  reader: Reader,
  runs: RunSet,
  height: number,
): Promise<{ block: ConnectedBlock; row: StoredBlockRow } | undefined> {
  const row = await reader.get(FIND_BLOCK, [height]);
  if (row === undefined) return undefined;
  const txs: PagedTx[] = [];
  const all = { from: row.first_tx_id, end: row.total_outputs, limit: row.tx_count };
  for (const { firstId, data } of await listTxPages(reader, runs, all)) {
    txs.push(...listPageTxs(data, firstId));
  }
  return { row, block: createStoredBlock(row, txs, reader, runs) };
}

/** What is wrong with a block of the index by itself: undefined when its bytes are those that its hash names. */
export function findBlockFault(
  { block, row }: { block: ConnectedBlock; row: StoredBlockRow },
  previousHash: Uint8Array | undefined,
): string | undefined {
  if (!equalBytes(blockHashOf(row.header), row.hash)) return 'the header is not the one of its hash';
  const previous = row.header.subarray(HEADER_PREVIOUS_AT, HEADER_ROOT_AT);
  if (previousHash && !equalBytes(previous, previousHash)) return 'it does not follow the block below it';
  const txids = Array.from({ length: block.txCount }, (_, position) => block.getTxid(position));
  if (txids.length !== row.tx_count) return `it has ${txids.length} transactions instead of ${row.tx_count}`;
  const root = row.header.subarray(HEADER_ROOT_AT, HEADER_ROOT_END);
  return equalBytes(merkleRoot(txids), root) ? undefined : 'its txids do not make the merkle root';
}

function createStoredBlock(
  row: StoredBlockRow,
  txs: readonly PagedTx[],
  reader: Reader,
  runs: RunSet,
): ConnectedBlock {
  const parsed = new Map<number, Transaction>();
  const getTransaction = (position: number): Transaction => {
    let tx = parsed.get(position);
    if (!tx) {
      tx = getValue(parseTransaction(readRaw(txs[position]!)));
      parsed.set(position, tx);
    }
    return tx;
  };
  const findPrevouts = async (inputs: readonly { position: number; vin: number }[]) => {
    const outputIds = inputs.map(({ position, vin }) => readPrevouts(txs[position]!)[vin]);
    const known = outputIds.filter((id) => id !== undefined);
    const sources = await findStoredTxs(reader, runs, [...Float64Array.from(new Set(known)).sort()]);
    return outputIds.map((id) => {
      const source = id === undefined ? undefined : sources.get(id);
      if (!source) return undefined;
      return { script: readScriptOf(source, id! - source.id), outputId: id! };
    });
  };
  return {
    height: row.height,
    hash: row.hash,
    time: row.time,
    medianTimePast: row.median_time_past,
    txCount: txs.length,
    getTxid: (position) => txs[position]!.txid,
    getTxId: (position) => txs[position]!.id,
    getTransaction,
    findPrevoutScript: async (position, vin) => (await findPrevouts([{ position, vin }]))[0]?.script,
    findFirstPrevouts: (positions) => findPrevouts(positions.map((position) => ({ position, vin: 0 }))),
    listDataCarriers(marker) {
      const positions = txs.map((_, position) => position);
      return positions.filter((position) =>
        getTransaction(position).outputs.some(
          ({ script }) => script[0] === OP_RETURN && (marker === undefined || pushesFirst(script, marker)),
        ),
      );
    },
  };
}

function pushesFirst(script: Uint8Array, marker: Uint8Array): boolean {
  return [2, 3].some((at) => startsWithBytes(script.subarray(at), marker));
}
