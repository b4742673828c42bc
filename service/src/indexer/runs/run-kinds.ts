import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { defineTable, type Table } from '../../db/table.ts';
import { readUint48 } from '../encoding/uint48.ts';

/**
 * The four indexes of the chain that are kept in runs: see `layout.ts`. Entries have a fixed size and are in the order of their
 * bytes, numbers big-endian. An entry begins with its key, by which it is looked for.
 *
 * | kind | key | then |
 * |---|---|---|
 * | `tx` | first 16 bytes of a txid | id (6) |
 * | `spend` | number of a spent output (6) | id of the transaction that spends it (6) |
 * | `history` | first 16 bytes of a script's SHA-256 | id of a transaction (6), what it does to the script (1): so many outputs that pay it, or, with the top bit, so many inputs that spend from it; their sum (8) |
 * | `coin` | first 16 bytes of a script's SHA-256 | number of an output (6), 0 where it is made and 1 where it is spent (1) |
 *
 * 128 bits of a hash name a script, or a transaction: to find two of one name takes 2^64 tries. Of transactions that share a name the
 * whole txid decides.
 */
export type RunKind = {
  readonly name: 'tx' | 'spend' | 'history' | 'coin';
  /** Tells the kinds apart in the numbers of filters. */
  readonly code: number;
  readonly table: Table;
  readonly entryBytes: number;
  readonly keyBytes: number;
  /** What becomes of neighbouring entries that differ only behind this many bytes: see `run-builder.ts`. */
  readonly joins: 'none' | 'sum' | 'cancel';
  /**
   * Where an entry lies among all that a run may have, in 32 bits; of a later entry never less. The page of an entry is
   * found by it.
   */
  locate(entry: Uint8Array, at: number): number;
};

/** What entries of a file are found by: of the kinds, and of what else is in order there. */
export type SectionKind = Pick<RunKind, 'code' | 'entryBytes' | 'keyBytes' | 'locate'>;

/** Bytes of a transaction's key. */
export const TX_KEY_BYTES = 16;

/** Where the fields of `spend`, `history` and `coin` entries are. */
export const SPENDER_AT = 6;
export const HISTORY_TX_AT = 16;
export const HISTORY_KIND_AT = 22;
export const HISTORY_VALUE_AT = 23;
export const COIN_OUTPUT_AT = 16;
export const COIN_SIGN_AT = 22;

/** In the kind of a history entry: inputs, not outputs. */
export const SPENDING = 0x80;
/** The most outputs or inputs that one history entry stands for. */
export const MOST_COUNTED = 0x7f;

/** Neighbouring output numbers that share a place; there may be 2^36 outputs. */
const OUTPUTS_A_PLACE = 16;

export const txRuns: RunKind = {
  name: 'tx',
  code: 0,
  table: defineRunTable('tx_run'),
  entryBytes: TX_KEY_BYTES + 6,
  keyBytes: TX_KEY_BYTES,
  joins: 'none',
  locate: readUint32,
};

export const spendRuns: RunKind = {
  name: 'spend',
  code: 1,
  table: defineRunTable('spend_run'),
  entryBytes: 12,
  keyBytes: 6,
  joins: 'none',
  locate: (entry, at) => placesOfOutputs(readUint48(entry, at)),
};

export const historyRuns: RunKind = {
  name: 'history',
  code: 2,
  table: defineRunTable('history_run'),
  entryBytes: 31,
  keyBytes: SCRIPT_KEY_BYTES,
  joins: 'sum',
  locate: readUint32,
};

export const coinRuns: RunKind = {
  name: 'coin',
  code: 3,
  table: defineRunTable('coin_run'),
  entryBytes: 23,
  keyBytes: SCRIPT_KEY_BYTES,
  joins: 'cancel',
  locate: readUint32,
};

/** How many places the outputs below a number have. */
export function placesOfOutputs(outputId: number): number {
  return Math.floor(outputId / OUTPUTS_A_PLACE);
}

/** All kinds; a run has entries of each. */
export const runKinds = [txRuns, spendRuns, historyRuns, coinRuns] as const;

/** `page` is the number of the run times 2^32 and the place of the page's first entry: see `run-page.ts`. */
function defineRunTable(name: string): Table {
  return defineTable({ name, columns: { page: 'int', data: 'bytes' }, primaryKey: ['page'] });
}

/** Reads 32 bits, big-endian. */
export function readUint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

/** Writes 32 bits, big-endian. */
export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}
