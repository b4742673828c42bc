import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { Writer } from '../db/database.ts';
import type { FetchedBlock } from './fetched-block.ts';
import { findLoaded, type LoadedPages, loadPages, scriptKeys } from './key-index.ts';
import { createOutputReader } from './output-reader.ts';
import type { RecentOutputs } from './recent-outputs.ts';
import type { ResolvedInputs } from './resolve-inputs.ts';
import type { ScriptMemory } from './script-memory.ts';
import { findStoredTxs } from './tx-store.ts';

/**
 * The scripts that a batch pays or spends from. Each has a slot; the columns are by slot, but for the two that say
 * which slot an output or an input belongs to.
 */
export type BatchScripts = {
  slotOfOutput: Int32Array;
  /** -1 for a coinbase input. */
  slotOfInput: Int32Array;
  scriptId: number[];
  /** Position in the batch of the first output that pays it; undefined when none does. */
  paidAt: readonly (number | undefined)[];
  /** How many outputs of the batch pay it. */
  fundings: number[];
  /** Keys and ids of the scripts that are new to the index, and the pages they belong to. */
  newKeys: number[];
  newIds: number[];
  keyPages: LoadedPages;
};

/**
 * Finds the script of every output and input. Within the batch equal scripts are found by hashing; whether a script is
 * known already is asked of the key index, and a candidate is believed when its bytes agree.
 */
export async function resolveScripts(
  blocks: readonly FetchedBlock[],
  totals: { outputs: number; scripts: number },
  inputs: ResolvedInputs,
  recent: RecentOutputs,
  memory: ScriptMemory,
  writer: Writer,
): Promise<BatchScripts> {
  const groups = groupOutputs(blocks);
  const slots = groups.key.length;
  const keyPages = await loadPages(writer, scriptKeys, totals.scripts, groups.key);
  const known = await findKnownScripts(blocks, groups, keyPages, memory, writer);

  const scripts: BatchScripts = {
    slotOfOutput: groups.slotOfOutput,
    slotOfInput: new Int32Array(inputs.outputId.length),
    scriptId: new Array(slots),
    paidAt: groups.firstOutput,
    fundings: groups.fundings,
    newKeys: [],
    newIds: [],
    keyPages,
  };
  const slotOfScript = new Map<number, number>();
  for (let slot = 0; slot < slots; slot++) {
    const id = known.get(slot) ?? -1;
    scripts.scriptId[slot] = id >= 0 ? id : totals.outputs + groups.firstOutput[slot]!;
    if (id >= 0) slotOfScript.set(id, slot);
    else {
      scripts.newKeys.push(groups.key[slot]!);
      scripts.newIds.push(scripts.scriptId[slot]!);
    }
  }
  rememberOutputs(blocks, totals.outputs, scripts, recent);
  for (let i = 0; i < inputs.outputId.length; i++) {
    const outputId = inputs.outputId[i]!;
    if (outputId < 0) scripts.slotOfInput[i] = -1;
    else if (outputId >= totals.outputs) {
      scripts.slotOfInput[i] = groups.slotOfOutput[outputId - totals.outputs]!;
    } else scripts.slotOfInput[i] = slotOfSpent(inputs.scriptId[i]!, slotOfScript, scripts);
  }
  return scripts;
}

/** A script of an older output: its slot, made now when the batch does not pay it. */
function slotOfSpent(scriptId: number, slotOfScript: Map<number, number>, scripts: BatchScripts): number {
  const found = slotOfScript.get(scriptId);
  if (found !== undefined) return found;
  const slot = scripts.scriptId.length;
  scripts.scriptId.push(scriptId);
  scripts.fundings.push(0);
  slotOfScript.set(scriptId, slot);
  return slot;
}

function rememberOutputs(
  blocks: readonly FetchedBlock[],
  firstOutputId: number,
  { slotOfOutput, scriptId }: BatchScripts,
  recent: RecentOutputs,
): void {
  let output = 0;
  for (const { scan } of blocks) {
    for (let o = 0; o < scan.outputCount; o++, output++) {
      recent.setOutput(firstOutputId + output, scriptId[slotOfOutput[output]!]!, scan.outputValue[o]!);
    }
  }
}

/** Distinct scripts of a batch's outputs, in the order of their first appearance. */
type OutputGroups = {
  slotOfOutput: Int32Array;
  key: number[];
  fundings: number[];
  /** Position in the batch of the first output that pays it, and where its script lies. */
  firstOutput: number[];
  block: number[];
  output: number[];
};

function groupOutputs(blocks: readonly FetchedBlock[]): OutputGroups {
  const outputCount = blocks.reduce((sum, { scan }) => sum + scan.outputCount, 0);
  const mask = 2 ** Math.ceil(Math.log2(outputCount * 2 + 2)) - 1;
  const table = new Int32Array(mask + 1);
  const groups: OutputGroups = {
    slotOfOutput: new Int32Array(outputCount),
    key: [],
    fundings: [],
    firstOutput: [],
    block: [],
    output: [],
  };
  let at = 0;
  for (let b = 0; b < blocks.length; b++) {
    const { scan } = blocks[b]!;
    for (let o = 0; o < scan.outputCount; o++, at++) {
      const key = scan.scriptKey[o]!;
      let probe = key & mask;
      while (table[probe] !== 0 && !isSameScript(blocks, groups, table[probe]! - 1, key, b, o)) {
        probe = (probe + 1) & mask;
      }
      if (table[probe] === 0) {
        groups.key.push(key);
        groups.fundings.push(0);
        groups.firstOutput.push(at);
        groups.block.push(b);
        groups.output.push(o);
        table[probe] = groups.key.length;
      }
      const slot = table[probe]! - 1;
      groups.slotOfOutput[at] = slot;
      groups.fundings[slot]!++;
    }
  }
  return groups;
}

function isSameScript(
  blocks: readonly FetchedBlock[],
  groups: OutputGroups,
  slot: number,
  key: number,
  block: number,
  output: number,
): boolean {
  if (groups.key[slot] !== key) return false;
  const { scan: a } = blocks[groups.block[slot]!]!;
  const { scan: b } = blocks[block]!;
  const first = groups.output[slot]!;
  const length = a.scriptLength[first]!;
  if (length !== b.scriptLength[output]) return false;
  const aAt = a.scriptOffset[first]!;
  const bAt = b.scriptOffset[output]!;
  for (let i = 0; i < length; i++) {
    if (a.raw[aAt + i] !== b.raw[bAt + i]) return false;
  }
  return true;
}

/** By slot, the ids of the scripts that the index knows. */
async function findKnownScripts(
  blocks: readonly FetchedBlock[],
  groups: OutputGroups,
  keyPages: LoadedPages,
  memory: ScriptMemory,
  writer: Writer,
): Promise<ReadonlyMap<number, number>> {
  const candidates = new Map<number, readonly number[]>();
  for (let slot = 0; slot < groups.key.length; slot++) {
    const ids = findLoaded(keyPages, groups.key[slot]!);
    if (ids.length > 0) candidates.set(slot, ids);
  }
  const scriptOf = await readScripts([...candidates.values()].flat(), memory, writer);
  const known = new Map<number, number>();
  for (const [slot, ids] of candidates) {
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
  for (const [id, tx] of await findStoredTxs(writer, [...Float64Array.from(unread).sort()])) {
    const script = outputs.readScript(tx, id - tx.id).slice();
    scripts.set(id, script);
    memory.add(id, script);
  }
  return scripts;
}
