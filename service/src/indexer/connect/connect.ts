import { parseHeader } from '@coinfront/protocol/block.ts';
import { SCRIPT_KEY_BYTES, type ScannedBlock } from '@coinfront/protocol/block-scan.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { medianTime, workOfBits } from '@coinfront/protocol/work.ts';
import { addBlockRates, decodeRateTotals, encodeRateTotals } from '../../chain/block-fee-rates.ts';
import type { SqlValue } from '../../db/statement.ts';
import { viewOf } from '../encoding/copy-entry.ts';
import { writeVarint } from '../encoding/varint.ts';
import type { FetchedBlock } from '../feed/fetched-block.ts';
import type { PreparedBatch } from '../feed/prepare-batch.ts';
import { blockTable } from '../layout.ts';
import type { FreshEntries } from '../runs/fresh-entries.ts';
import {
  beginTx,
  createTxPageBuilder,
  type FinishedPage,
  finishPage,
  type TxPageBuilder,
  writeBytes,
  writeTxHead,
} from '../transactions/tx-page.ts';
import type { ChainState } from './chain-state.ts';

/** Core's MAX_SCRIPT_SIZE: a longer script can never be spent. */
const MAX_SCRIPT_BYTES = 10_000;
const MEDIAN_TIME_BLOCKS = 11;
const CHAINWORK_BYTES = 32;

/** Rows of connected blocks; what they add to the indexes is with the fresh entries. */
export type BatchRows = {
  block: SqlValue[][];
  pages: (FinishedPage & { height: number })[];
};

/**
 * Connects prepared blocks on top of `before`: pure arithmetic on columns, no I/O.
 *
 * @param fresh is given what the blocks add to the indexes
 * @returns the rows to write, the state after the last block, and of each block the times for its median time past; `before`
 *   is not changed
 */
export function connectBlocks(
  prepared: PreparedBatch,
  before: ChainState,
  fresh: FreshEntries,
): { rows: BatchRows; state: ChainState; times: number[][] } {
  const { spentValue } = prepared;
  const batch: Batch = {
    prepared,
    fresh,
    spentKeys: viewOf(prepared.spentKeys),
    spentWords: new Uint32Array(spentValue.buffer, spentValue.byteOffset, spentValue.length * 2),
    state: { ...before, times: [...before.times], totals: { ...before.totals } },
    pages: createTxPageBuilder(),
    input: 0,
    rows: { block: blockTable.columns.map(() => []), pages: [] },
  };
  fresh.reserve(countAll(prepared.blocks));
  const times = prepared.blocks.map((block) => {
    connectBlock(batch, block);
    return [...batch.state.times];
  });
  return { rows: batch.rows, state: batch.state, times };
}

function countAll(blocks: readonly FetchedBlock[]): { txs: number; inputs: number; outputs: number } {
  const counts = { txs: 0, inputs: 0, outputs: 0 };
  for (const { scan } of blocks) {
    counts.txs += scan.txCount;
    counts.inputs += scan.inputCount;
    counts.outputs += scan.outputCount;
  }
  return counts;
}

type Batch = {
  prepared: PreparedBatch;
  fresh: FreshEntries;
  /** The keys of the scripts that inputs spend from. */
  spentKeys: DataView;
  /** The values that inputs spend in halves, the lower first. */
  spentWords: Uint32Array;
  state: ChainState;
  pages: TxPageBuilder;
  /** The next input among those of the batch. */
  input: number;
  rows: BatchRows;
};

/** Of a block. */
type BlockColumns = {
  txids: DataView;
  /** The keys of the scripts of its outputs. */
  keys: DataView;
  /** Their values in halves, the lower first. */
  words: Uint32Array;
};

type BlockSums = {
  fees: bigint;
  coinbaseValue: bigint;
  coinbaseSpendable: bigint;
  burned: bigint;
  utxos: number;
  /** What each transaction but the coinbase pays. */
  feeOfEach: bigint[];
};

function connectBlock(batch: Batch, block: FetchedBlock): void {
  const { state, rows, pages } = batch;
  const { scan, height } = block;
  const header = getValue(parseHeader(scan.raw.subarray(0, 80)));
  const firstTxId = state.totals.outputs;
  const sums: BlockSums = {
    fees: 0n,
    coinbaseValue: 0n,
    coinbaseSpendable: 0n,
    burned: 0n,
    utxos: 0,
    feeOfEach: [],
  };
  const { outputValue } = scan;
  const columns: BlockColumns = {
    txids: viewOf(scan.txid),
    keys: viewOf(scan.scriptKeys),
    words: new Uint32Array(outputValue.buffer, outputValue.byteOffset, outputValue.length * 2),
  };
  let weight = 0;
  for (let t = 0; t < scan.txCount; t++) {
    connectTransaction(batch, block, columns, t, sums);
    weight += scan.weight[t]!;
  }
  batch.fresh.addOutputs(scan.scriptKeys, scan.outputValue);
  finishPage(pages);
  for (const page of pages.pages) rows.pages.push({ ...page, height });
  pages.pages = [];

  state.height = height;
  state.hash = block.hash;
  state.chainwork += workOfBits(header.bits);
  state.times.push(header.time);
  if (state.times.length > MEDIAN_TIME_BLOCKS) state.times.shift();
  // Header, merged-mining proof and count weigh four units a byte.
  weight += scan.txOffset[0]! * 4;
  const { totals } = state;
  totals.size += scan.raw.length;
  totals.weight += weight;
  totals.txs += scan.txCount;
  totals.inputs += scan.inputCount;
  totals.utxos += sums.utxos;
  totals.issued += sums.coinbaseValue - sums.fees;
  totals.burned += sums.burned;
  totals.coinbasePaid += sums.coinbaseSpendable;
  totals.fees += sums.fees;
  // The HogEx before an extension block carries the fees of that one, and takes nobody's place.
  if (scan.txOffset[scan.txCount]! < scan.raw.length) sums.feeOfEach.pop();
  if (sums.feeOfEach.length > 0) {
    const weights = scan.weight.subarray(1, scan.txCount);
    totals.rates = encodeRateTotals(addBlockRates(decodeRateTotals(totals.rates), sums.feeOfEach, weights));
  }

  const values = [
    height,
    block.hash,
    scan.raw.slice(0, 80),
    scan.raw.slice(80, scan.headerEnd),
    scan.raw.slice(scan.txOffset[scan.txCount]!),
    header.time,
    medianTime(state.times),
    toBigEndian(state.chainwork, CHAINWORK_BYTES),
    scan.raw.length,
    weight,
    scan.txCount,
    firstTxId,
    sums.fees,
    sums.coinbaseValue,
    totals.size,
    totals.weight,
    totals.txs,
    totals.inputs,
    totals.outputs,
    totals.utxos,
    String(totals.issued),
    String(totals.burned),
    String(totals.coinbasePaid),
    String(totals.fees),
    totals.rates,
  ];
  values.forEach((value, column) => {
    rows.block[column]!.push(value);
  });
}

function connectTransaction(
  batch: Batch,
  { scan, height }: FetchedBlock,
  { txids, keys, words }: BlockColumns,
  t: number,
  sums: BlockSums,
): void {
  const { prepared, fresh, pages, spentKeys, spentWords } = batch;
  const { spentOutput, spentValue } = prepared;
  const id = batch.state.totals.outputs;
  const firstInput = batch.input;
  const inputEnd = firstInput + scan.inputStart[t + 1]! - scan.inputStart[t]!;
  const isCoinbase = t === 0;
  fresh.addTx(txids, t * 32, id);

  let fee = 0n;
  for (let input = firstInput; input < inputEnd; input++) {
    const outputId = spentOutput[input]!;
    if (outputId < 0) continue;
    const keyAt = input * SCRIPT_KEY_BYTES;
    fee += spentValue[input]!;
    sums.utxos--;
    fresh.addSpend(outputId, id);
    fresh.addChange(spentKeys, keyAt, id, true, spentWords[input * 2]!, spentWords[input * 2 + 1]!);
    fresh.addCoin(spentKeys, keyAt, outputId, true);
  }
  const outputStart = scan.outputStart[t]!;
  const outputEnd = scan.outputStart[t + 1]!;
  for (let output = outputStart; output < outputEnd; output++) {
    const value = scan.outputValue[output]!;
    const keyAt = output * SCRIPT_KEY_BYTES;
    fee -= value;
    fresh.addChange(keys, keyAt, id, false, words[output * 2]!, words[output * 2 + 1]!);
    // The coinbase of genesis is in no node's unspent set and cannot be spent.
    if (height === 0 || isUnspendableOutput(scan, output)) sums.burned += value;
    else {
      fresh.addCoin(keys, keyAt, id + output - outputStart, false);
      sums.utxos++;
      if (isCoinbase) sums.coinbaseSpendable += value;
    }
  }
  if (isCoinbase) sums.coinbaseValue = -fee;
  else {
    sums.fees += fee;
    sums.feeOfEach.push(fee);
  }
  batch.input = inputEnd;
  batch.state.totals.outputs += outputEnd - outputStart;

  const rawStart = scan.txOffset[t]!;
  const rawEnd = scan.txOffset[t + 1]!;
  beginTx(pages, id, t, rawEnd - rawStart);
  writeBytes(pages, scan.txid, t * 32, t * 32 + 32);
  writeTxHead(pages, scan.weight[t]!, isCoinbase ? undefined : fee, outputEnd - outputStart);
  const { writer } = pages;
  writeVarint(writer, inputEnd - firstInput);
  for (let input = firstInput; input < inputEnd; input++) {
    const outputId = spentOutput[input]!;
    writeVarint(writer, outputId < 0 ? 0 : id - outputId);
  }
  writeBytes(pages, scan.raw, rawStart, rawEnd);
}

/** Core's IsUnspendable, on the columns. */
function isUnspendableOutput(scan: ScannedBlock, output: number): boolean {
  const length = scan.scriptLength[output]!;
  return length > MAX_SCRIPT_BYTES || (length > 0 && scan.raw[scan.scriptOffset[output]!] === OP_RETURN);
}

function toBigEndian(value: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let rest = value;
  for (let i = length - 1; i >= 0; i--) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}
