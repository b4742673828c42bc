import { createWriter } from '@coinfront/protocol/writer.ts';
import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { fromBigEndian } from '../indexer/connect/load-state.ts';
import type { RunSet } from '../indexer/runs/run-set.ts';
import { listPageTxs, type PagedTx, readRaw, sumOutputs } from '../indexer/transactions/tx-page.ts';
import { findPageOfPosition, listTxPages } from '../indexer/transactions/tx-pages.ts';
import type { BlockName, BlockRecord, RawTx, TxSummary, WrappedHeader } from './chain-view.ts';

type BlockRow = {
  height: bigint;
  hash: Uint8Array;
  header: Uint8Array;
  time: bigint;
  median_time_past: bigint;
  chainwork: Uint8Array;
  size: bigint;
  weight: bigint;
  extension_size: bigint;
  tx_count: bigint;
  first_tx_id: bigint;
  fees: bigint;
  coinbase_value: bigint;
  total_size: bigint;
  total_weight: bigint;
  total_txs: bigint;
  total_inputs: bigint;
  total_outputs: bigint;
  total_utxos: bigint;
  total_issued: string;
  total_burned: string;
  total_coinbase_paid: string;
  total_fees: string;
  total_rates: string;
};

const COLUMNS = `height, hash, header, time, median_time_past, chainwork, size, weight,
  length(extension) as extension_size, tx_count, first_tx_id, fees,
  coinbase_value, total_size, total_weight, total_txs, total_inputs, total_outputs, total_utxos, total_issued, total_burned,
  total_coinbase_paid, total_fees, total_rates`;
const bigints = true;

const FIND_TIP = sql<BlockRow>(`select ${COLUMNS} from block order by height desc limit 1`, { bigints });
const FIND_AT = sql<BlockRow>(`select ${COLUMNS} from block where height = $1`, { bigints });
/** Reading the whole row takes four times as long. */
const NAME_AT = sql<{ hash: Uint8Array; time: number }>('select hash, time from block where height = $1');
const FIND_BY_HASH = sql<BlockRow>(`select ${COLUMNS} from block where hash = $1`, { bigints });
const LIST_DOWN = sql<BlockRow>(
  `select ${COLUMNS} from block where height <= $1 order by height desc limit $2`,
  { bigints },
);
const FIND_ALL_AT = sql<BlockRow>(`select ${COLUMNS} from block where height = any($1)`, { bigints });
const LIST_HASHES = sql<{ hash: Uint8Array }>(
  'select hash from block where height >= $1 and height < $2 order by height',
);
const LIST_HEADERS = sql<{ header: Uint8Array; auxpow: Uint8Array }>(
  'select header, auxpow from block where height >= $1 and height < $2 order by height',
);

const GET_WRAPPING = sql<{ auxpow: Uint8Array; extension: Uint8Array }>(
  'select auxpow, extension from block where height = $1',
);

/** A page has about a dozen transactions or more; a few pages too many cost less than asking twice. */
const TXS_PER_PAGE = 10;
const MAX_PAGES_AT_ONCE = 64;

/** The highest block. */
export async function findTipBlock(reader: Reader): Promise<BlockRecord | undefined> {
  return readBlock(await reader.get(FIND_TIP));
}

/** The block of the best chain at a height. */
export async function findBlockAt(reader: Reader, height: number): Promise<BlockRecord | undefined> {
  return readBlock(await reader.get(FIND_AT, [height]));
}

/** Names the block of the best chain at a height. */
export async function nameBlockAt(reader: Reader, height: number): Promise<BlockName | undefined> {
  const row = await reader.get(NAME_AT, [height]);
  return row && { height, hash: row.hash, time: row.time };
}

/** The block of the best chain with this hash. */
export async function findBlockByHash(reader: Reader, hash: Uint8Array): Promise<BlockRecord | undefined> {
  return readBlock(await reader.get(FIND_BY_HASH, [hash]));
}

/** Blocks from a height downwards. */
export async function listBlocksDown(
  reader: Reader,
  fromHeight: number,
  limit: number,
): Promise<BlockRecord[]> {
  return (await reader.all(LIST_DOWN, [fromHeight, limit])).map((row) => readBlock(row)!);
}

/** Blocks of the best chain at heights that ascend. */
export async function listBlocksAt(reader: Reader, heights: readonly number[]): Promise<BlockRecord[]> {
  const blocks = (await reader.lookup(FIND_ALL_AT, heights)).map((row) => readBlock(row)!);
  // In one statement rows come in any order.
  return blocks.sort((a, b) => a.height - b.height);
}

/** Hashes of blocks of the best chain, upwards. */
export async function listHashesUp(reader: Reader, fromHeight: number, count: number): Promise<Uint8Array[]> {
  return (await reader.all(LIST_HASHES, [fromHeight, fromHeight + count])).map(({ hash }) => hash);
}

/** Headers of blocks of the best chain, upwards. */
export async function listHeadersUp(
  reader: Reader,
  fromHeight: number,
  count: number,
): Promise<WrappedHeader[]> {
  return await reader.all(LIST_HEADERS, [fromHeight, fromHeight + count]);
}

/** Transactions of a block in order, from a position on. */
export async function listTxsOfBlock(
  reader: Reader,
  runs: RunSet,
  block: BlockRecord,
  fromPosition: number,
  limit: number,
): Promise<TxSummary[]> {
  const summaries: TxSummary[] = [];
  await visitBlockTxs(reader, runs, block, fromPosition, limit, (tx, position) => {
    summaries.push({
      id: tx.id,
      txid: tx.txid,
      height: block.height,
      position,
      weight: tx.weight,
      fee: tx.fee,
      outputValue: sumOutputs(tx),
    });
  });
  return summaries;
}

/** Transactions of a block in order with their bytes, from a position on. */
export async function listRawTxsOfBlock(
  reader: Reader,
  runs: RunSet,
  block: BlockRecord,
  fromPosition: number,
  limit: number,
): Promise<RawTx[]> {
  const txs: RawTx[] = [];
  await visitBlockTxs(reader, runs, block, fromPosition, limit, (tx) =>
    txs.push({ txid: tx.txid, raw: readRaw(tx) }),
  );
  return txs;
}

/** All txids of a block in order. */
export async function listTxidsOfBlock(
  reader: Reader,
  runs: RunSet,
  block: BlockRecord,
): Promise<Uint8Array[]> {
  const txids: Uint8Array[] = [];
  await visitBlockTxs(reader, runs, block, 0, block.txCount, (tx) => txids.push(tx.txid));
  return txids;
}

/** The merged-mining proof (AuxPoW) behind a block's header; empty where it has none. */
export async function readAuxpow(reader: Reader, block: BlockRecord): Promise<Uint8Array> {
  return (await reader.get(GET_WRAPPING, [block.height]))!.auxpow;
}

/** The bytes of a block as nodes relay it, with its merged-mining proof and extension block where it has them. */
export async function readRawBlock(reader: Reader, runs: RunSet, block: BlockRecord): Promise<Uint8Array> {
  const { auxpow, extension } = (await reader.get(GET_WRAPPING, [block.height]))!;
  const writer = createWriter(block.size);
  writer.bytes(block.header);
  writer.bytes(auxpow);
  writer.compactSize(block.txCount);
  await visitBlockTxs(reader, runs, block, 0, block.txCount, (tx) => writer.bytes(readRaw(tx)));
  writer.bytes(extension);
  return writer.finish();
}

async function visitBlockTxs(
  reader: Reader,
  runs: RunSet,
  block: BlockRecord,
  fromPosition: number,
  limit: number,
  visit: (tx: PagedTx, position: number) => void,
): Promise<void> {
  const end = block.totals.outputs;
  const toPosition = Math.min(block.txCount, fromPosition + limit);
  if (fromPosition >= toPosition) return;
  let from =
    fromPosition === 0
      ? block.firstTxId
      : await findPageOfPosition(reader, runs, { first: block.firstTxId, end, position: fromPosition });
  for (let wanted = toPosition - fromPosition; ; ) {
    const pagesAtOnce = Math.min(MAX_PAGES_AT_ONCE, Math.ceil(wanted / TXS_PER_PAGE) + 1);
    const pages = await listTxPages(reader, runs, { from, end, limit: pagesAtOnce });
    for (const { firstId, position, data } of pages) {
      for (const tx of listPageTxs(data, firstId)) {
        const at = position + tx.index;
        if (at >= toPosition) return;
        if (at < fromPosition) continue;
        visit(tx, at);
        wanted--;
      }
    }
    if (pages.length < pagesAtOnce) return;
    from = pages.at(-1)!.firstId + 1;
  }
}

/** Marker, flag and the single byte of the MWEB part of the transaction that a block with an extension ends with. */
const HOGEX_MWEB_BYTES = 3;

/** From weight = 3 * stripped size + size (BIP-141), where neither counts what belongs to an extension block. */
function computeStrippedSize({ size, weight, extension_size }: BlockRow): number {
  const extension = Number(extension_size);
  const extra = extension === 0 ? 0 : extension + HOGEX_MWEB_BYTES;
  return (Number(weight) - (Number(size) - extra)) / 3;
}

function readBlock(row: BlockRow | undefined): BlockRecord | undefined {
  if (!row) return undefined;
  const issued = BigInt(row.total_issued);
  const burned = BigInt(row.total_burned);
  const height = Number(row.height);
  return {
    height,
    hash: row.hash,
    header: row.header,
    time: Number(row.time),
    medianTimePast: Number(row.median_time_past),
    chainwork: fromBigEndian(row.chainwork),
    size: Number(row.size),
    strippedSize: computeStrippedSize(row),
    weight: Number(row.weight),
    txCount: Number(row.tx_count),
    hasExtension: row.extension_size > 0n,
    firstTxId: Number(row.first_tx_id),
    fees: row.fees,
    coinbaseValue: row.coinbase_value,
    totals: {
      size: Number(row.total_size),
      weight: Number(row.total_weight),
      txs: Number(row.total_txs),
      outputs: Number(row.total_outputs),
      // The row counts those of coinbases as well: one a block.
      inputs: Number(row.total_inputs) - (height + 1),
      issued,
      burned,
      coinbasePaid: BigInt(row.total_coinbase_paid),
      utxos: Number(row.total_utxos),
      utxoValue: issued - burned,
      fees: BigInt(row.total_fees),
      rates: row.total_rates,
    },
  };
}
