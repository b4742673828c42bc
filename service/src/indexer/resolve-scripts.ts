import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { Writer } from '../db/database.ts';
import type { FetchedBlock } from './fetched-block.ts';
import type { KeyAdditions } from './key-additions.ts';
import { createOutputReader } from './output-reader.ts';
import type { PreparedBatch } from './prepare-batch.ts';
import type { RecentOutputs } from './recent-outputs.ts';
import type { ResolvedInputs } from './resolve-inputs.ts';
import type { ScriptGroups } from './script-groups.ts';
import type { ScriptMemory } from './script-memory.ts';
import { type StoredTx, visitStoredTxs } from './tx-store.ts';

/**
 * The scripts that a batch pays or spends from. Each has a slot; those that it pays come first. The columns are by slot, but for
 * the two that say which slot an output or an input belongs to.
 */
export type BatchScripts = {
  slotOfOutput: Int32Array;
  /** -1 for a coinbase input. */
  slotOfInput: Int32Array;
  scriptId: number[];
  /** Position in the batch of the first output that pays it; only of those that it pays. */
  paidAt: Int32Array;
  /** How many outputs of the batch pay it. */
  fundings: Int32Array;
  /** Keys and ids of the scripts that are new to the index. */
  newKeys: number[];
  newIds: number[];
};

/**
 * Finds the script of every output and input. Whether a script is known already is asked of the key index, and a candidate
 * is believed when its bytes agree.
 */
export async function resolveScripts(
  { blocks, scripts: groups }: PreparedBatch,
  totals: { outputs: number },
  inputs: ResolvedInputs,
  recent: RecentOutputs,
  memory: ScriptMemory,
  scriptKeys: KeyAdditions,
  writer: Writer,
): Promise<BatchScripts> {
  const paid = groups.key.length;
  const known = await findKnownScripts(blocks, groups, scriptKeys, memory, writer);

  const scriptId: number[] = new Array(paid);
  const newKeys: number[] = [];
  const newIds: number[] = [];
  const slotOfScript = new Map<number, number>();
  for (let slot = 0; slot < paid; slot++) {
    const id = known.get(slot);
    scriptId[slot] = id ?? totals.outputs + groups.paidAt[slot]!;
    if (id !== undefined) slotOfScript.set(id, slot);
    else {
      newKeys.push(groups.key[slot]!);
      newIds.push(scriptId[slot]!);
    }
  }
  rememberOutputs(blocks, totals.outputs, groups.slotOfOutput, scriptId, recent);
  const slotOfInput = new Int32Array(inputs.outputId.length);
  for (let i = 0; i < slotOfInput.length; i++) {
    const outputId = inputs.outputId[i]!;
    if (outputId < 0) slotOfInput[i] = -1;
    else if (outputId >= totals.outputs) {
      slotOfInput[i] = groups.slotOfOutput[outputId - totals.outputs]!;
    } else slotOfInput[i] = slotOfSpent(inputs.scriptId[i]!, slotOfScript, scriptId);
  }
  const fundings = new Int32Array(scriptId.length);
  fundings.set(groups.fundings);
  const { slotOfOutput, paidAt } = groups;
  return { slotOfOutput, slotOfInput, scriptId, paidAt, fundings, newKeys, newIds };
}

/** A script of an older output: its slot, made now when the batch does not pay it. */
function slotOfSpent(id: number, slotOfScript: Map<number, number>, scriptId: number[]): number {
  const found = slotOfScript.get(id);
  if (found !== undefined) return found;
  slotOfScript.set(id, scriptId.length);
  return scriptId.push(id) - 1;
}

function rememberOutputs(
  blocks: readonly FetchedBlock[],
  firstOutputId: number,
  slotOfOutput: Int32Array,
  scriptId: readonly number[],
  recent: RecentOutputs,
): void {
  let output = 0;
  for (const { scan } of blocks) {
    for (let o = 0; o < scan.outputCount; o++, output++) {
      recent.add(firstOutputId + output, scriptId[slotOfOutput[output]!]!, scan.outputValue[o]!);
    }
  }
}

/** By slot, the ids of the scripts that the index knows. */
async function findKnownScripts(
  blocks: readonly FetchedBlock[],
  groups: ScriptGroups,
  scriptKeys: KeyAdditions,
  memory: ScriptMemory,
  writer: Writer,
): Promise<ReadonlyMap<number, number>> {
  const candidates = await scriptKeys.find(groups.key);
  const scriptOf = await readScripts(candidates.flat(), memory, writer);
  const known = new Map<number, number>();
  for (const [slot, ids] of candidates.entries()) {
    if (ids.length === 0) continue;
    const { scan } = blocks[groups.block[slot]!]!;
    const start = scan.scriptOffset[groups.output[slot]!]!;
    const script = scan.raw.subarray(start, start + scan.scriptLength[groups.output[slot]!]!);
    const id = ids.find((candidate) => {
      const bytes = scriptOf.get(candidate);
      return bytes !== undefined && equalBytes(bytes, script);
    });
    if (id !== undefined) known.set(slot, id);
  }
  return known;
}

/** Bytes of scripts by id, from memory or from their first outputs. */
async function readScripts(
  ids: readonly number[],
  memory: ScriptMemory,
  writer: Writer,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const scripts = new Map<number, Uint8Array>();
  const unread = new Set<number>();
  for (const id of ids) {
    const script = memory.find(id);
    if (script) scripts.set(id, script);
    else unread.add(id);
  }
  const outputs = createOutputReader();
  let last: StoredTx | undefined;
  await visitStoredTxs(writer, unread, (tx, id) => {
    if (tx !== last) outputs.forget();
    last = tx;
    const script = outputs.readScript(tx, id - tx.id).slice();
    scripts.set(id, script);
    memory.add(id, script);
  });
  return scripts;
}
