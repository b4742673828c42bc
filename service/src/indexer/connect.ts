import { parseHeader } from '@coinfront/protocol/block.ts';
import type { ScannedBlock } from '@coinfront/protocol/block-scan.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { medianTime, workOfBits } from '@coinfront/protocol/work.ts';
import type { BatchRows } from './batch-rows.ts';
import type { ChainState } from './chain-state.ts';
import type { FetchedBlock } from './fetched-block.ts';
import { blockTable } from './layout.ts';
import type { ImpliedRows, RepeatScript } from './repeat-scripts.ts';
import type { ResolvedInputs } from './resolve-inputs.ts';
import type { BatchScripts } from './resolve-scripts.ts';
import {
  beginTx,
  createTxPageBuilder,
  finishPage,
  type TxPageBuilder,
  writeBytes,
  writeTxHead,
} from './tx-page.ts';
import { writeBigVarint, writeVarint } from './varint.ts';

/** Core's MAX_SCRIPT_SIZE: a longer script can never be spent. */
const MAX_SCRIPT_BYTES = 10_000;
const MEDIAN_TIME_BLOCKS = 11;
const CHAINWORK_BYTES = 32;

/** A batch of blocks with all that they refer to. */
export type ResolvedBatch = {
  blocks: readonly FetchedBlock[];
  inputs: ResolvedInputs;
  scripts: BatchScripts;
  /** By slot of `scripts`. */
  repeats: readonly (RepeatScript | undefined)[];
  implied: ImpliedRows;
};

/**
 * Connects resolved blocks on top of `before`: pure arithmetic on columns, no I/O.
 *
 * @returns the rows to write, the state after the last block, and of each block the times for its median time past; `before`
 *   is not changed
 */
export function connectBlocks(
  resolved: ResolvedBatch,
  before: ChainState,
): { rows: BatchRows; state: ChainState; times: number[][] } {
  const { scripts, repeats, implied } = resolved;
  const batch: Batch = {
    resolved,
    state: { ...before, times: [...before.times], totals: { ...before.totals } },
    firstOutputId: before.totals.outputs,
    unspent: new Uint8Array(scripts.slotOfOutput.length),
    pages: createTxPageBuilder(),
    input: 0,
    output: 0,
    rows: {
      block: blockTable.columns.map(() => []),
      pages: [],
      spends: { outputIds: [], spenderIds: [] },
      scripts: repeats.filter((script) => script !== undefined),
      history: {
        scriptId: implied.history.map((row) => row.scriptId),
        txId: implied.history.map((row) => row.txId),
        delta: implied.history.map((row) => row.delta),
      },
      utxos: {
        scriptId: implied.utxo.map((row) => row.scriptId),
        outputId: implied.utxo.map((row) => row.outputId),
        value: implied.utxo.map((row) => row.value),
      },
      goneUtxos: { scriptId: [], outputId: [] },
    },
  };
  const times = resolved.blocks.map((block) => {
    connectBlock(batch, block);
    return [...batch.state.times];
  });
  collectUtxos(batch);
  batch.state.totals.scripts += scripts.newKeys.length;
  return { rows: batch.rows, state: batch.state, times };
}

type Batch = {
  resolved: ResolvedBatch;
  state: ChainState;
  firstOutputId: number;
  /** By output of the batch: 1 while it can be spent. */
  unspent: Uint8Array;
  pages: TxPageBuilder;
  /** Positions in the columns of the batch. */
  input: number;
  output: number;
  rows: BatchRows;
};

type BlockSums = {
  fees: bigint;
  coinbaseValue: bigint;
  coinbaseSpendable: bigint;
  burned: bigint;
  utxos: number;
};

function connectBlock(batch: Batch, block: FetchedBlock): void {
  const { state, rows, pages } = batch;
  const { scan, height } = block;
  const header = getValue(parseHeader(scan.raw.subarray(0, 80)));
  const firstTxId = state.totals.outputs;
  const sums: BlockSums = { fees: 0n, coinbaseValue: 0n, coinbaseSpendable: 0n, burned: 0n, utxos: 0 };
  let weight = 0;
  for (let t = 0; t < scan.txCount; t++) {
    connectTransaction(batch, block, t, sums);
    weight += scan.weight[t]!;
  }
  finishPage(pages);
  for (const page of pages.pages) rows.pages.push({ ...page, height });
  pages.pages = [];

  state.height = height;
  state.hash = block.hash;
  state.chainwork += workOfBits(header.bits);
  state.times.push(header.time);
  if (state.times.length > MEDIAN_TIME_BLOCKS) state.times.shift();
  const { totals } = state;
  totals.txs += scan.txCount;
  totals.inputs += scan.inputCount;
  totals.utxos += sums.utxos;
  totals.issued += sums.coinbaseValue - sums.fees;
  totals.burned += sums.burned;
  totals.coinbasePaid += sums.coinbaseSpendable;
  totals.fees += sums.fees;

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
    // Header, merged-mining proof and count weigh four units a byte.
    weight + scan.txOffset[0]! * 4,
    scan.txCount,
    firstTxId,
    sums.fees,
    sums.coinbaseValue,
    totals.txs,
    totals.inputs,
    totals.outputs,
    // Counted by the caller: how many scripts are new is known for the batch only.
    countNewScripts(batch),
    totals.utxos,
    String(totals.issued),
    String(totals.burned),
    String(totals.coinbasePaid),
    String(totals.fees),
  ];
  values.forEach((value, column) => {
    rows.block[column]!.push(value);
  });
}

/** Scripts of the chain up to the last connected output: new ones are numbered by their first output. */
function countNewScripts({ resolved, state }: Batch): number {
  const { newIds } = resolved.scripts;
  let low = 0;
  let high = newIds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (newIds[middle]! < state.totals.outputs) low = middle + 1;
    else high = middle;
  }
  return state.totals.scripts + low;
}

function connectTransaction(batch: Batch, { scan, height }: FetchedBlock, t: number, sums: BlockSums): void {
  const { resolved, pages, rows } = batch;
  const { inputs, scripts, repeats } = resolved;
  const id = batch.state.totals.outputs;
  const firstInput = batch.input;
  const inputEnd = firstInput + scan.inputStart[t + 1]! - scan.inputStart[t]!;
  const isCoinbase = t === 0;

  let fee = 0n;
  for (let input = firstInput; input < inputEnd; input++) {
    const outputId = inputs.outputId[input]!;
    if (outputId < 0) continue;
    const value = inputs.value[input]!;
    fee += value;
    rows.spends.outputIds.push(outputId);
    rows.spends.spenderIds.push(id);
    sums.utxos--;
    const repeat = repeats[scripts.slotOfInput[input]!];
    if (outputId >= batch.firstOutputId) batch.unspent[outputId - batch.firstOutputId] = 0;
    else if (repeat) {
      rows.goneUtxos.scriptId.push(repeat.id);
      rows.goneUtxos.outputId.push(outputId);
    }
    if (!repeat) continue;
    touch(rows, repeat, id, -value);
    repeat.spentCount++;
    repeat.spentSum += value;
  }
  const outputStart = scan.outputStart[t]!;
  const outputEnd = scan.outputStart[t + 1]!;
  const firstOutput = batch.output;
  for (let output = outputStart; output < outputEnd; output++) {
    const value = scan.outputValue[output]!;
    fee -= value;
    const repeat = repeats[scripts.slotOfOutput[batch.output]!];
    if (repeat) {
      touch(rows, repeat, id, value);
      repeat.fundedCount++;
      repeat.fundedSum += value;
    }
    // The coinbase of genesis is in no node's unspent set and cannot be spent.
    if (height === 0 || isUnspendableOutput(scan, output)) sums.burned += value;
    else {
      batch.unspent[batch.output] = 1;
      sums.utxos++;
      if (isCoinbase) sums.coinbaseSpendable += value;
    }
    batch.output++;
  }
  if (isCoinbase) sums.coinbaseValue = -fee;
  else sums.fees += fee;
  batch.input = inputEnd;
  batch.state.totals.outputs += outputEnd - outputStart;

  const rawStart = scan.txOffset[t]!;
  const rawEnd = scan.txOffset[t + 1]!;
  beginTx(pages, id, t, rawEnd - rawStart);
  writeBytes(pages, scan.txid, t * 32, t * 32 + 32);
  writeTxHead(pages, scan.weight[t]!, isCoinbase ? undefined : fee);
  const { writer } = pages;
  writeVarint(writer, inputEnd - firstInput);
  for (let input = firstInput; input < inputEnd; input++) {
    const outputId = inputs.outputId[input]!;
    writeVarint(writer, outputId < 0 ? 0 : id - outputId);
  }
  writeVarint(writer, outputEnd - outputStart);
  for (let vout = 0; vout < outputEnd - outputStart; vout++) {
    const scriptId = scripts.scriptId[scripts.slotOfOutput[firstOutput + vout]!]!;
    writeVarint(writer, id + vout - scriptId);
    writeBigVarint(writer, scan.outputValue[outputStart + vout]!);
  }
  writeBytes(pages, scan.raw, rawStart, rawEnd);
}

/** Core's IsUnspendable, on the columns. */
function isUnspendableOutput(scan: ScannedBlock, output: number): boolean {
  const length = scan.scriptLength[output]!;
  return length > MAX_SCRIPT_BYTES || (length > 0 && scan.raw[scan.scriptOffset[output]!] === OP_RETURN);
}

/** Notes that a transaction changes a script's balance; several changes by one transaction are one row of history. */
function touch({ history }: BatchRows, script: RepeatScript, txId: number, delta: bigint): void {
  if (script.lastTxId === txId) {
    history.delta[script.historyRow]! += delta;
    return;
  }
  script.lastTxId = txId;
  script.historyRow = history.delta.length;
  script.txCount++;
  history.scriptId.push(script.id);
  history.txId.push(txId);
  history.delta.push(delta);
}

/** Outputs of the batch that stay unspent, of scripts that have rows. */
function collectUtxos({ unspent, resolved, firstOutputId, rows }: Batch): void {
  const { scripts, repeats, blocks } = resolved;
  let output = 0;
  for (const { scan } of blocks) {
    for (let o = 0; o < scan.outputCount; o++, output++) {
      const repeat = unspent[output] === 1 ? repeats[scripts.slotOfOutput[output]!] : undefined;
      if (!repeat) continue;
      rows.utxos.scriptId.push(repeat.id);
      rows.utxos.outputId.push(firstOutputId + output);
      rows.utxos.value.push(scan.outputValue[o]!);
    }
  }
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
