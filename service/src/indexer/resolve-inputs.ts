import { bytesToHex, equalRanges, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import type { Writer } from '../db/database.ts';
import { type FetchedBlock, readVout } from './fetched-block.ts';
import type { KeyAdditions } from './key-additions.ts';
import { createOutputReader } from './output-reader.ts';
import { COINBASE_INPUT, type PreparedBatch, UNKNOWN_PREVOUT } from './prepare-batch.ts';
import type { RecentOutputs } from './recent-outputs.ts';
import { visitStoredTxs } from './tx-store.ts';

/** What the inputs of a batch spend, by input in order. */
export type ResolvedInputs = {
  /** Number of the output; -1 for a coinbase input. */
  outputId: Float64Array;
  /** Script of the output; only for outputs of earlier batches. */
  scriptId: Float64Array;
  value: BigInt64Array;
  /** Ids of the batch's own transactions. */
  txIds: Float64Array;
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
  { blocks, firstOutput, spentOutput }: PreparedBatch,
  totals: { outputs: number },
  recent: RecentOutputs,
  txKeys: KeyAdditions,
  writer: Writer,
): Promise<ResolvedInputs> {
  const resolved: ResolvedInputs = {
    outputId: new Float64Array(spentOutput.length),
    scriptId: new Float64Array(spentOutput.length),
    value: new BigInt64Array(spentOutput.length),
    txIds: numberTransactions(blocks, totals.outputs),
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
  const missing = await resolveOlder(describeInputs(blocks, older), resolved, txKeys, writer);
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
 * Candidates under the key are believed when the whole txid agrees. Two coinbases of the same txid exist (BIP-30's exceptions):
 * the later one is meant.
 *
 * @returns the inputs whose prevouts the database does not have
 */
async function resolveOlder(
  inputs: UnresolvedInput[],
  resolved: ResolvedInputs,
  txKeys: KeyAdditions,
  writer: Writer,
): Promise<UnresolvedInput[]> {
  if (inputs.length === 0) return inputs;
  const found = await txKeys.find(inputs.map(({ key }) => key));
  const candidates = found.flat();
  const inputOf = found.flatMap((ids, input) => ids.map(() => input));
  /** By id, a place in `candidates`, and by place, the one before it of the same id. */
  const lastOf = new Map<number, number>();
  const before = candidates.map((id, place) => {
    const earlier = lastOf.get(id);
    lastOf.set(id, place);
    return earlier;
  });
  const isResolved = new Uint8Array(inputs.length);
  const outputs = createOutputReader();
  await visitStoredTxs(writer, lastOf.keys(), (tx, id) => {
    for (let place = lastOf.get(id); place !== undefined; place = before[place]) {
      const input = inputOf[place]!;
      const { at, raw, offset } = inputs[input]!;
      if (!equalRanges(tx.txid, 0, raw, offset, 32)) continue;
      const vout = readVout(raw, offset);
      const output = outputs.find(tx, vout);
      isResolved[input] = output ? 1 : 0;
      if (!output) continue;
      resolved.outputId[at] = tx.id + vout;
      resolved.scriptId[at] = output.scriptId;
      resolved.value[at] = output.value;
    }
    outputs.forget();
  });
  return inputs.filter((_, input) => isResolved[input] === 0);
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
