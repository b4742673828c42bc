import type { BlockDetailJson, BlockSummaryJson, BlockTransactionJson } from '@coinfront/api/chain-blocks.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { confirmationsAt, difficultyOf, readHeaderFields } from '../../chain/chain-reads.ts';
import type { BlockRecord, TxSummary } from '../../chain/chain-view.ts';

/** Unix seconds as ISO 8601. */
export function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Work as 64 hex digits, as nodes show it. */
export function formatWork(work: bigint): string {
  return work.toString(16).padStart(64, '0');
}

/** A block of a list. */
export function serialiseBlockSummary(
  block: BlockRecord,
  tip: BlockRecord,
  decimals: number,
  tag: string | undefined,
): BlockSummaryJson {
  return {
    hash: toDisplayHash(block.hash),
    height: block.height,
    confirmations: confirmationsAt(block.height, tip),
    time: formatTime(block.time),
    median_time: formatTime(block.medianTimePast),
    tx_count: block.txCount,
    size: block.size,
    weight: block.weight,
    difficulty: difficultyOf(block),
    fees: formatAmount(block.fees, decimals),
    coinbase_value: formatAmount(block.coinbaseValue, decimals),
    issued: formatAmount(block.coinbaseValue - block.fees, decimals),
    coinbase_tag: tag ?? null,
  };
}

/** A block with a page of its transactions. */
export function serialiseBlockDetail(input: {
  block: BlockRecord;
  next: Pick<BlockRecord, 'hash'> | undefined;
  tip: BlockRecord;
  decimals: number;
  tag: string | undefined;
  transactions: BlockDetailJson['transactions'];
}): BlockDetailJson {
  const { block, next, tip, decimals, tag, transactions } = input;
  const header = readHeaderFields(block.header);
  return {
    ...serialiseBlockSummary(block, tip, decimals, tag),
    version: header.version,
    merkle_root: toDisplayHash(header.merkleRoot),
    bits: header.bits.toString(16).padStart(8, '0'),
    nonce: header.nonce,
    chainwork: formatWork(block.chainwork),
    stripped_size: block.strippedSize,
    previous_hash: block.height === 0 ? null : toDisplayHash(header.prevHash),
    next_hash: next === undefined ? null : toDisplayHash(next.hash),
    header: bytesToHex(block.header),
    transactions,
  };
}

/** A transaction in the list of its block. */
export function serialiseBlockTx(tx: TxSummary, decimals: number): BlockTransactionJson {
  return {
    txid: toDisplayHash(tx.txid),
    position: tx.position,
    output_value: formatAmount(tx.outputValue, decimals),
    fee: tx.fee === undefined ? null : formatAmount(tx.fee, decimals),
    weight: tx.weight,
    vsize: Math.ceil(tx.weight / 4),
  };
}
