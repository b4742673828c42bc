import { bytesToHex, equalRanges, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import type { Writer } from '../db/database.ts';
import { type FetchedBlock, readVout } from './fetched-block.ts';
import { findLoaded, type LoadedPages, loadPages, txKeys } from './key-index.ts';
import { createOutputReader } from './output-reader.ts';
import { COINBASE_INPUT, type PreparedBatch, UNKNOWN_PREVOUT } from './prepare-batch.ts';
import type { RecentOutputs } from './recent-outputs.ts';
import { findStoredTxs, type StoredTx } from './tx-store.ts';

/** What the inputs of a batch spend, by input in order. */
export type ResolvedInputs = {
  /** Number of the output; -1 for a coinbase input. */
  outputId: Float64Array;
  /** Script of the output; only for outputs of earlier batches. */
  scriptId: Float64Array;
  value: BigInt64Array;
  /** Ids of the batch's own transactions, and the pages of the index that they and older prevouts belong to. */
  txIds: Float64Array;
  txKeyPages: LoadedPages;
};

/** Thrown when a block spends an output that the index does not have: the index does not fit the node's chain. */
export class UnknownPrevoutError extends Error {
  override readonly name = 'UnknownPrevoutError';
}

/**
 * Finds what every input spends: as the preparation found it among the latest transactions, or in the database, which is
 * asked once for the whole batch.
 *
 * @param totals of the chain below the batch
 * @throws UnknownPrevoutError
 */
export async function resolveInputs(
  { blocks, firstOutput, spentOutput, txKey }: PreparedBatch,
  totals: { txs: number; outputs: number },
  recent: RecentOutputs,
  writer: Writer,
): Promise<ResolvedInputs> {
  const resolved: ResolvedInputs = {
    outputId: new Float64Array(spentOutput.length),
    scriptId: new Float64Array(spentOutput.length),
    value: new BigInt64Array(spentOutput.length),
    txIds: numberTransactions(blocks, totals.outputs),
    txKeyPages: { entries: totals.txs, pages: new Map() },
  };
  const values = flattenValues(blocks);
  const shift = totals.outputs - firstOutput;
  const older: number[] = [];
  for (let i = 0; i < spentOutput.length; i++) {
    const spent = spentOutput[i]!;
    const outputId = spent + shift;
    if (spent === COINBASE_INPUT) resolved.outputId[i] = -1;
    else if (spent !== UNKNOWN_PREVOUT && outputId >= totals.outputs) {
      resolved.outputId[i] = outputId;
      resolved.value[i] = values[outputId - totals.outputs]!;
    } else if (spent !== UNKNOWN_PREVOUT && recent.has(outputId)) {
      resolved.outputId[i] = outputId;
      resolved.scriptId[i] = recent.getScriptId(outputId);
      resolved.value[i] = recent.getValue(outputId);
    } else older.push(i);
  }
  const unresolved = describeInputs(blocks, older);
  const wanted = [txKey, unresolved.map(({ key }) => key)];
  resolved.txKeyPages = await loadPages(writer, txKeys, totals.txs, wanted);
  const missing = await resolveOlder(unresolved, resolved, writer);
  if (missing.length > 0) resolveWithinBatch(missing, blocks, totals.outputs, values, resolved);
  return resolved;
}

/** Ids of the transactions of a batch whose first output has this number. */
function numberTransactions(blocks: readonly FetchedBlock[], firstOutputId: number): Float64Array {
  const ids = new Float64Array(blocks.reduce((sum, { scan }) => sum + scan.txCount, 0));
  let at = 0;
  let first = firstOutputId;
  for (const { scan } of blocks) {
    for (let t = 0; t < scan.txCount; t++) ids[at++] = first + scan.outputStart[t]!;
    first += scan.outputCount;
  }
  return ids;
}

/** The values of all outputs of a batch, one after another. */
export function flattenValues(blocks: readonly FetchedBlock[]): BigInt64Array {
  const value = new BigInt64Array(blocks.reduce((sum, { scan }) => sum + scan.outputCount, 0));
  let at = 0;
  for (const { scan } of blocks) {
    value.set(scan.outputValue, at);
    at += scan.outputCount;
  }
  return value;
}

type UnresolvedInput = { at: number; raw: Uint8Array; offset: number; key: number; height: number };

/** Where the outpoints of these inputs are; `positions` in the batch, ascending. */
function describeInputs(blocks: readonly FetchedBlock[], positions: readonly number[]): UnresolvedInput[] {
  let block = 0;
  let first = 0;
  return positions.map((at) => {
    while (at >= first + blocks[block]!.scan.inputCount) first += blocks[block++]!.scan.inputCount;
    const { scan, height } = blocks[block]!;
    const offset = scan.outpointOffset[at - first]!;
    return { at, raw: scan.raw, offset, key: keyOfHash(scan.raw, offset), height };
  });
}

/**
 * Candidates under the key are believed when the whole txid agrees.
 *
 * @returns the inputs whose prevouts the database does not have
 */
async function resolveOlder(
  inputs: UnresolvedInput[],
  resolved: ResolvedInputs,
  writer: Writer,
): Promise<UnresolvedInput[]> {
  const missing: UnresolvedInput[] = [];
  if (inputs.length === 0) return missing;
  const candidates = new Set<number>();
  for (const { key } of inputs) {
    for (const id of findLoaded(resolved.txKeyPages, key)) candidates.add(id);
  }
  const stored = await findStoredTxs(writer, [...Float64Array.from(candidates).sort()]);
  const outputs = createOutputReader();
  for (const input of inputs) {
    const { at, raw, offset, key } = input;
    const tx = findLatest(findLoaded(resolved.txKeyPages, key), stored, raw, offset);
    const vout = readVout(raw, offset);
    const output = tx && outputs.find(tx, vout);
    if (!tx || !output) {
      missing.push(input);
      continue;
    }
    resolved.outputId[at] = tx.id + vout;
    resolved.scriptId[at] = output.scriptId;
    resolved.value[at] = output.value;
  }
  return missing;
}

/** Prevouts among the batch's own transactions that the preparation did not remember: those of a batch larger than that. */
function resolveWithinBatch(
  inputs: readonly UnresolvedInput[],
  blocks: readonly FetchedBlock[],
  firstOutputId: number,
  values: BigInt64Array,
  resolved: ResolvedInputs,
): void {
  const positions = new Map<string, { start: number; end: number }>();
  let start = 0;
  for (const { scan } of blocks) {
    for (let t = 0; t < scan.txCount; t++) {
      const end = start + scan.outputStart[t + 1]! - scan.outputStart[t]!;
      positions.set(bytesToHex(scan.txid.subarray(t * 32, t * 32 + 32)), { start, end });
      start = end;
    }
  }
  for (const { at, raw, offset, height } of inputs) {
    const source = positions.get(bytesToHex(raw.subarray(offset, offset + 32)));
    const vout = readVout(raw, offset);
    if (!source || source.start + vout >= source.end) {
      const txid = toDisplayHash(raw.subarray(offset, offset + 32));
      throw new UnknownPrevoutError(
        `block ${height} spends ${txid}:${vout}, which the index does not have; delete the index to have it rebuilt`,
      );
    }
    resolved.outputId[at] = firstOutputId + source.start + vout;
    resolved.value[at] = values[source.start + vout]!;
  }
}

/** Two coinbases of the same txid exist (BIP-30's exceptions): the later one is meant. */
function findLatest(
  ids: readonly number[],
  stored: ReadonlyMap<number, StoredTx>,
  raw: Uint8Array,
  offset: number,
): StoredTx | undefined {
  let latest: StoredTx | undefined;
  for (const id of ids) {
    const tx = stored.get(id);
    if (tx && equalRanges(tx.txid, 0, raw, offset, 32) && (!latest || tx.id > latest.id)) latest = tx;
  }
  return latest;
}
