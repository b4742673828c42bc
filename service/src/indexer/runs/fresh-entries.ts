import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { copyEntry, viewOf } from '../encoding/copy-entry.ts';
import { readUint48, writeUint48 } from '../encoding/uint48.ts';
import { createRunBuilder } from './run-builder.ts';
import { createFilter, type RunFilter } from './run-filter.ts';
import {
  coinRuns,
  HISTORY_KIND_AT,
  HISTORY_TX_AT,
  HISTORY_VALUE_AT,
  historyRuns,
  type RunKind,
  runKinds,
  SPENDER_AT,
  SPENDING,
  spendRuns,
  TX_KEY_BYTES,
  txRuns,
} from './run-kinds.ts';
import type { RunTarget } from './run-target.ts';
import { type RoomFor, visitInOrder } from './sort-entries.ts';

/** What connected blocks add to the indexes, in the order of the chain, until it becomes a run. */
export type FreshEntries = {
  /** Makes room for what so many more may add: growing by little steps, a long branch was copied four times over. */
  reserve(more: { txs: number; inputs: number; outputs: number }): void;
  addTx(txids: DataView, at: number, id: number): void;
  /** An output is spent. */
  addSpend(outputId: number, spenderId: number): void;
  /** A transaction pays a script, whose key is in `scripts` from `scriptAt` on, or spends from it: a value in two halves of 32 bits. */
  addChange(
    scripts: DataView,
    scriptAt: number,
    txId: number,
    isSpend: boolean,
    low: number,
    high: number,
  ): void;
  /** An output that can be spent is made, or is spent. */
  addCoin(scripts: DataView, scriptAt: number, outputId: number, isSpend: boolean): void;
  /** Outputs follow: the keys of their scripts, 16 bytes each, and their values. */
  addOutputs(keys: Uint8Array, values: BigInt64Array): void;
  /** An entry as runs have it. */
  addEntry(kind: RunKind, entries: Uint8Array, at: number): void;
  /** Outputs follow, as {@link FreshEntries.outputs} has them. */
  addOutputEntries(entries: Uint8Array): void;
  /** Of the outputs: 24 bytes each, the key of the script (16) and the value (8, little-endian). */
  readonly outputs: Uint8Array;
  /** Sorts all entries into the pages of a run. */
  build(target: RunTarget): BuiltKind[];
  clear(): void;
  readonly isEmpty: boolean;
  readonly entries: number;
  readonly bytes: number;
};

/** One kind of a run whose pages are made. */
export type BuiltKind = {
  readonly kind: RunKind;
  readonly entries: number;
  readonly keys: number;
  /** None for `coin`: its scripts are among those of `history`. */
  readonly filter: RunFilter | undefined;
};

type Buffer = { bytes: Uint8Array; view: DataView; used: number };

/** Of an output, with its value little-endian. */
const VALUE_BYTES = 8;
const OUTPUT_BYTES: number = SCRIPT_KEY_BYTES + VALUE_BYTES;
const FIRST_BYTES = 1 << 16;
/** Room grows by a quarter: twice as much would mostly be empty, and these are the largest things in memory. */
const GROWTH = 1.25;
/** Room of which the last run needed less than this share is given back: near the tip runs are small. */
const LEAST_SHARE = 0.25;
/** To sort in: for a third of the largest kind of a run of a first sync, so that it is gone through three times. */
const SORT_BYTES = 12 << 20;
/** Numbers of outputs are told apart by all of their bytes, hashes by fewer. */
const RADIX_BYTES = { spend: 6, others: 4 };

export function createFreshEntries(): FreshEntries {
  const buffers = new Map<RunKind, Buffer>(
    [txRuns, spendRuns, historyRuns, coinRuns].map((kind) => [kind, createBuffer()]),
  );
  const txs = buffers.get(txRuns)!;
  const spends = buffers.get(spendRuns)!;
  const history = buffers.get(historyRuns)!;
  const coins = buffers.get(coinRuns)!;
  const outputs = createBuffer();
  /** It stays, since the next run needs as much. */
  let sortRoom: Uint8Array = new Uint8Array(0);
  const roomFor: RoomFor = (least, all) => {
    const bytes = Math.max(least, Math.min(all, SORT_BYTES));
    if (sortRoom.length < bytes) sortRoom = new Uint8Array(bytes);
    return sortRoom;
  };

  return {
    reserve({ txs: moreTxs, inputs, outputs: moreOutputs }) {
      makeRoom(txs, moreTxs * txRuns.entryBytes);
      makeRoom(spends, inputs * spendRuns.entryBytes);
      makeRoom(history, (inputs + moreOutputs) * historyRuns.entryBytes);
      makeRoom(coins, (inputs + moreOutputs) * coinRuns.entryBytes);
      makeRoom(outputs, moreOutputs * OUTPUT_BYTES);
    },
    addTx(txids, at, id) {
      const to = extend(txs, txRuns.entryBytes);
      copyEntry(txids, at, txs.view, to, TX_KEY_BYTES);
      writeUint48(txs.bytes, to + TX_KEY_BYTES, id);
    },
    addSpend(outputId, spenderId) {
      const to = extend(spends, spendRuns.entryBytes);
      writeUint48(spends.bytes, to, outputId);
      writeUint48(spends.bytes, to + SPENDER_AT, spenderId);
    },
    addChange(scripts, scriptAt, txId, isSpend, low, high) {
      const to = extend(history, historyRuns.entryBytes);
      const { bytes, view } = history;
      copyEntry(scripts, scriptAt, view, to, SCRIPT_KEY_BYTES);
      writeUint48(bytes, to + HISTORY_TX_AT, txId);
      bytes[to + HISTORY_KIND_AT] = isSpend ? SPENDING | 1 : 1;
      view.setUint32(to + HISTORY_VALUE_AT, high);
      view.setUint32(to + HISTORY_VALUE_AT + 4, low);
    },
    addCoin(scripts, scriptAt, outputId, isSpend) {
      const to = extend(coins, coinRuns.entryBytes);
      const { bytes, view } = coins;
      copyEntry(scripts, scriptAt, view, to, SCRIPT_KEY_BYTES);
      writeUint48(bytes, to + SCRIPT_KEY_BYTES, outputId);
      bytes[to + SCRIPT_KEY_BYTES + 6] = isSpend ? 1 : 0;
    },
    addOutputs(keys, values) {
      let to = extend(outputs, values.length * OUTPUT_BYTES);
      const keyView = viewOf(keys);
      const valueView = viewOf(values);
      for (let output = 0; output < values.length; output++, to += OUTPUT_BYTES) {
        copyEntry(keyView, output * SCRIPT_KEY_BYTES, outputs.view, to, SCRIPT_KEY_BYTES);
        copyEntry(valueView, output * VALUE_BYTES, outputs.view, to + SCRIPT_KEY_BYTES, VALUE_BYTES);
      }
    },
    addEntry(kind, entries, at) {
      const { entryBytes } = kind;
      const buffer = buffers.get(kind)!;
      const to = extend(buffer, entryBytes);
      for (let i = 0; i < entryBytes; i++) buffer.bytes[to + i] = entries[at + i]!;
    },
    addOutputEntries(entries) {
      const to = extend(outputs, entries.length);
      outputs.bytes.set(entries, to);
    },
    get outputs() {
      return outputs.bytes.subarray(0, outputs.used);
    },
    build(target) {
      return runKinds.map((kind) => buildKind(kind, buffers.get(kind)!, target, roomFor));
    },
    clear() {
      for (const buffer of [...buffers.values(), outputs]) clearBuffer(buffer);
      const most = Math.max(...[...buffers.values()].map(({ bytes }) => bytes.length));
      if (sortRoom.length > most) sortRoom = new Uint8Array(0);
    },
    get isEmpty() {
      return txs.used === 0;
    },
    get entries() {
      return [...buffers].reduce((sum, [{ entryBytes }, { used }]) => sum + used / entryBytes, 0);
    },
    get bytes() {
      return txs.used + spends.used + history.used + coins.used + outputs.used;
    },
  };
}

function buildKind(kind: RunKind, { bytes, used }: Buffer, target: RunTarget, roomFor: RoomFor): BuiltKind {
  const { entryBytes } = kind;
  const filter = kind === coinRuns ? undefined : createFilter(used / entryBytes);
  const builder = createRunBuilder(kind, target.begin(kind), filter);
  const radixBytes = kind === spendRuns ? RADIX_BYTES.spend : RADIX_BYTES.others;
  visitInOrder(bytes.subarray(0, used), entryBytes, radixBytes, roomFor, (source, at) =>
    builder.add(source, at, readUint48(source, at)),
  );
  builder.finish();
  target.end(filter);
  return { kind, entries: builder.entries, keys: builder.keys, filter };
}

function createBuffer(): Buffer {
  const bytes = new Uint8Array(FIRST_BYTES);
  return { bytes, view: viewOf(bytes), used: 0 };
}

function clearBuffer(buffer: Buffer): void {
  if (buffer.used < buffer.bytes.length * LEAST_SHARE)
    setRoom(buffer, new Uint8Array(Math.max(FIRST_BYTES, buffer.used)));
  buffer.used = 0;
}

function extend(buffer: Buffer, more: number): number {
  const at = buffer.used;
  makeRoom(buffer, more);
  buffer.used = at + more;
  return at;
}

function makeRoom(buffer: Buffer, more: number): void {
  const { bytes, used } = buffer;
  if (used + more <= bytes.length) return;
  setRoom(buffer, new Uint8Array(Math.ceil(Math.max(bytes.length * GROWTH, used + more))));
  buffer.bytes.set(bytes.subarray(0, used));
}

function setRoom(buffer: Buffer, bytes: Uint8Array): void {
  buffer.bytes = bytes;
  buffer.view = viewOf(bytes);
}
