import type { ScannedBlock } from '@coinfront/protocol/block-scan.ts';
import { equalRanges } from '@coinfront/protocol/bytes.ts';
import { spreadKey } from './spread-key.ts';

/** Distinct scripts of a batch's outputs, in the order of their first appearance: columns by script but for the first. */
export type ScriptGroups = {
  /** By output of the batch: which script it pays. */
  slotOfOutput: Int32Array;
  key: Float64Array;
  /** How many outputs pay it. */
  fundings: Int32Array;
  /** Position in the batch of the first output that pays it. */
  paidAt: Int32Array;
  /** Where its bytes are: the block in the batch, and the output in that block. */
  block: Int32Array;
  output: Int32Array;
};

/** Groups the outputs of one batch after another. */
export type ScriptGroupsBuilder = {
  add(scan: ScannedBlock): void;
  /** Ends the batch. */
  take(): ScriptGroups;
};

/** Outputs that there is room for at first, and at most from one batch to the next: 36 MB. */
const FIRST_ROOM = 1 << 12;
const MOST_ROOM_KEPT = 1 << 20;

/** Creates a builder. What it has grown to is kept for the next batch, within reason. */
export function createScriptGroups(): ScriptGroupsBuilder {
  let columns = createColumns(FIRST_ROOM);
  /** Open addressing by key; a place holds a slot plus one. At most half of the places are taken. */
  let table = new Int32Array(FIRST_ROOM * 2);
  let shift = shiftFor(table);
  let scans: ScannedBlock[] = [];
  let slots = 0;
  let outputs = 0;

  const isSame = (slot: number, key: number, scan: ScannedBlock, o: number): boolean =>
    columns.key[slot] === key && equalScripts(scans[columns.block[slot]!]!, columns.output[slot]!, scan, o);

  const makeRoom = (more: number): void => {
    if (outputs + more <= columns.slotOfOutput.length) return;
    const room = 2 ** Math.ceil(Math.log2(outputs + more));
    for (const name of ['slotOfOutput', 'fundings', 'paidAt', 'block', 'output'] as const) {
      columns[name] = grow(columns[name], new Int32Array(room));
    }
    columns.key = grow(columns.key, new Float64Array(room));
    table = new Int32Array(room * 2);
    shift = shiftFor(table);
    for (let slot = 0; slot < slots; slot++) {
      let place = spreadKey(columns.key[slot]!) >>> shift;
      while (table[place] !== 0) place = (place + 1) & (table.length - 1);
      table[place] = slot + 1;
    }
  };

  return {
    add(scan) {
      makeRoom(scan.outputCount);
      const { slotOfOutput, key: keys, fundings, paidAt, block, output } = columns;
      const mask = table.length - 1;
      scans.push(scan);
      for (let o = 0; o < scan.outputCount; o++, outputs++) {
        const key = scan.scriptKey[o]!;
        let place = spreadKey(key) >>> shift;
        while (table[place] !== 0 && !isSame(table[place]! - 1, key, scan, o)) place = (place + 1) & mask;
        if (table[place] === 0) {
          keys[slots] = key;
          fundings[slots] = 0;
          paidAt[slots] = outputs;
          block[slots] = scans.length - 1;
          output[slots] = o;
          table[place] = ++slots;
        }
        const slot = table[place]! - 1;
        slotOfOutput[outputs] = slot;
        fundings[slot]!++;
      }
    },
    take() {
      const groups: ScriptGroups = {
        slotOfOutput: columns.slotOfOutput.slice(0, outputs),
        key: columns.key.slice(0, slots),
        fundings: columns.fundings.slice(0, slots),
        paidAt: columns.paidAt.slice(0, slots),
        block: columns.block.slice(0, slots),
        output: columns.output.slice(0, slots),
      };
      if (columns.slotOfOutput.length > MOST_ROOM_KEPT) {
        columns = createColumns(FIRST_ROOM);
        table = new Int32Array(FIRST_ROOM * 2);
        shift = shiftFor(table);
      } else table.fill(0);
      scans = [];
      slots = 0;
      outputs = 0;
      return groups;
    },
  };
}

function createColumns(room: number): ScriptGroups {
  return {
    slotOfOutput: new Int32Array(room),
    key: new Float64Array(room),
    fundings: new Int32Array(room),
    paidAt: new Int32Array(room),
    block: new Int32Array(room),
    output: new Int32Array(room),
  };
}

/** Leaves as many bits of a spread key as the table has. */
function shiftFor(table: Int32Array): number {
  return Math.clz32(table.length - 1);
}

function grow<T extends Int32Array | Float64Array>(column: T, larger: T): T {
  larger.set(column);
  return larger;
}

function equalScripts(a: ScannedBlock, aOutput: number, b: ScannedBlock, bOutput: number): boolean {
  const length = a.scriptLength[aOutput]!;
  if (length !== b.scriptLength[bOutput]) return false;
  return equalRanges(a.raw, a.scriptOffset[aOutput]!, b.raw, b.scriptOffset[bOutput]!, length);
}
