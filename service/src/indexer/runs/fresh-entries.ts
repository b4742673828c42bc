import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { writeUint48 } from '../encoding/uint48.ts';
import { createRunBuilder } from './run-builder.ts';
import { createFilter, type RunFilter } from './run-filter.ts';
import {
  coinRuns,
  HISTORY_KIND_AT,
  HISTORY_TX_AT,
  HISTORY_VALUE_AT,
  historyRuns,
  type RunKind,
  SPENDING,
  spendRuns,
  TX_KEY_BYTES,
  txRuns,
  writeUint32,
} from './run-kinds.ts';
import type { PageRow } from './run-page.ts';
import { orderEntries } from './sort-entries.ts';

/** What connected blocks add to the indexes, in the order of the chain, until it becomes a run. */
export type FreshEntries = {
  addTx(txid: Uint8Array, at: number, id: number): void;
  /** An output is spent. */
  addSpend(outputId: number, spenderId: number): void;
  /** A transaction pays a script, whose key is in `script` from `scriptAt` on, or spends from it: a value in two halves of 32 bits. */
  addChange(
    script: Uint8Array,
    scriptAt: number,
    txId: number,
    isSpend: boolean,
    low: number,
    high: number,
  ): void;
  /** An output that can be spent is made, or is spent. */
  addCoin(script: Uint8Array, scriptAt: number, outputId: number, isSpend: boolean): void;
  /** Sorts all of it into the pages of a run, of which this is the number, and begins anew. */
  build(runId: number): BuiltKind[];
  clear(): void;
  readonly isEmpty: boolean;
  readonly entries: number;
  readonly bytes: number;
};

/** One kind of a run that is ready to be written. */
export type BuiltKind = {
  readonly kind: RunKind;
  readonly pages: readonly PageRow[];
  readonly entries: number;
  readonly keys: number;
  /** None for `coin`: its scripts are among those of `history`. */
  readonly filter: RunFilter | undefined;
};

type Buffer = { bytes: Uint8Array; used: number };

const FIRST_BYTES = 1 << 16;
/** Room that is kept for the next run. */
const MOST_BYTES_KEPT = 64 << 20;
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

  return {
    addTx(txid, at, id) {
      const to = extend(txs, txRuns.entryBytes);
      for (let i = 0; i < TX_KEY_BYTES; i++) txs.bytes[to + i] = txid[at + i]!;
      writeUint48(txs.bytes, to + TX_KEY_BYTES, id);
    },
    addSpend(outputId, spenderId) {
      const to = extend(spends, spendRuns.entryBytes);
      writeUint48(spends.bytes, to, outputId);
      writeUint48(spends.bytes, to + 6, spenderId);
    },
    addChange(script, scriptAt, txId, isSpend, low, high) {
      const to = extend(history, historyRuns.entryBytes);
      const { bytes } = history;
      for (let i = 0; i < SCRIPT_KEY_BYTES; i++) bytes[to + i] = script[scriptAt + i]!;
      writeUint48(bytes, to + HISTORY_TX_AT, txId);
      bytes[to + HISTORY_KIND_AT] = isSpend ? SPENDING | 1 : 1;
      writeUint32(bytes, to + HISTORY_VALUE_AT, high);
      writeUint32(bytes, to + HISTORY_VALUE_AT + 4, low);
    },
    addCoin(script, scriptAt, outputId, isSpend) {
      const to = extend(coins, coinRuns.entryBytes);
      const { bytes } = coins;
      for (let i = 0; i < SCRIPT_KEY_BYTES; i++) bytes[to + i] = script[scriptAt + i]!;
      writeUint48(bytes, to + SCRIPT_KEY_BYTES, outputId);
      bytes[to + SCRIPT_KEY_BYTES + 6] = isSpend ? 1 : 0;
    },
    build(runId) {
      const built = [...buffers].map(([kind, buffer]) => buildKind(kind, buffer, runId));
      for (const buffer of buffers.values()) clearBuffer(buffer);
      return built;
    },
    clear() {
      for (const buffer of buffers.values()) clearBuffer(buffer);
    },
    get isEmpty() {
      return txs.used === 0;
    },
    get entries() {
      return [...buffers].reduce((sum, [{ entryBytes }, { used }]) => sum + used / entryBytes, 0);
    },
    get bytes() {
      return txs.used + spends.used + history.used + coins.used;
    },
  };
}

function buildKind(kind: RunKind, { bytes, used }: Buffer, runId: number): BuiltKind {
  const { entryBytes } = kind;
  const count = used / entryBytes;
  const order = orderEntries(
    bytes,
    entryBytes,
    count,
    kind === spendRuns ? RADIX_BYTES.spend : RADIX_BYTES.others,
  );
  const filter = kind === coinRuns ? undefined : createFilter(countKeys(kind, bytes, order));
  const builder = createRunBuilder(kind, runId, filter);
  for (let i = 0; i < count; i++) builder.add(bytes, order[i]! * entryBytes);
  builder.finish();
  return { kind, pages: builder.takePages(), entries: builder.entries, keys: builder.keys, filter };
}

/** Distinct keys. */
function countKeys({ entryBytes, keyBytes }: RunKind, bytes: Uint8Array, order: Uint32Array): number {
  let keys = 0;
  let before = -1;
  for (let i = 0; i < order.length; i++) {
    const at = order[i]! * entryBytes;
    let same = 0;
    if (before >= 0) while (same < keyBytes && bytes[before + same] === bytes[at + same]) same++;
    if (same < keyBytes) keys++;
    before = at;
  }
  return keys;
}

function createBuffer(): Buffer {
  return { bytes: new Uint8Array(FIRST_BYTES), used: 0 };
}

function clearBuffer(buffer: Buffer): void {
  if (buffer.bytes.length > MOST_BYTES_KEPT) buffer.bytes = new Uint8Array(FIRST_BYTES);
  buffer.used = 0;
}

function extend(buffer: Buffer, more: number): number {
  const at = buffer.used;
  if (at + more > buffer.bytes.length) {
    const larger = new Uint8Array(buffer.bytes.length * 2);
    larger.set(buffer.bytes);
    buffer.bytes = larger;
  }
  buffer.used = at + more;
  return at;
}
