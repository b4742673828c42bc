import type { Transaction } from '@coinfront/protocol/transaction.ts';
import type { SqlValue } from '../../db/statement.ts';
import type { Table } from '../../db/table.ts';

/** A row of a part's table, by column name: `int` as number, `amount` as bigint, `total` as decimal text. */
export type PartRow = Record<string, SqlValue>;

/**
 * A table that a part derives from blocks.
 * - `log`: rows are only added, in the order of the chain; the first column of the key, `height` or `tx_id`, says by which
 *   block. Undone by deleting those of the block.
 * - `entries`: rows are only added, in no order; undone by their keys.
 * - `state`: rows change; before a block changes a row the earlier one is kept, and put back when the block goes.
 * - `amounts`: a state of two numbers, which are the key, and an amount; no row stands for zero. For states with so many
 *   changes that their rows should not be objects.
 * - `past`: what the amounts of a table were behind each block that changed them, zeros too: both numbers and the height, which are the
 *   key, and the amount. Nobody but the store writes it, and undoes it with the amounts.
 */
export type PartTable = {
  readonly table: Table;
  readonly kind: 'log' | 'entries' | 'state' | 'amounts' | 'past';
  /** Of amounts: their table of kind `past`, which the part lists, too. */
  readonly past?: Table;
};

/** A row of a state table while blocks are connected: each key has one cell, and the cell what was last written to it. */
export type PartCell = { readonly row: PartRow | undefined };

/** The amounts of a table, each in a slot that holds until the block is connected. */
export type PartAmounts = {
  /** The slots of many keys, given as two columns, in their order; what is not known yet is read at once. */
  open(first: readonly number[], second: readonly number[]): Promise<number[]>;
  get(slot: number): bigint;
  set(slot: number, amount: bigint): void;
  /**
   * The second numbers of the positive amounts of a first one, ascending, `limit` at most. Slots hold on; what was changed is
   * written for it, so it is for what happens rarely.
   */
  list(first: number, limit: number): Promise<number[]>;
};

/**
 * What a part may do to its tables while a block is connected. Reads see what the part wrote before. A row that was given
 * away belongs to the writer; its bytes are copies, for they outlive the block.
 */
export type PartWriter = {
  /** Adds a row to a log or to entries. */
  append(table: PartTable, row: PartRow): void;
  find(table: PartTable, key: readonly SqlValue[]): Promise<PartRow | undefined>;
  /** The cells of many keys, in their order; what is not known yet is read at once. */
  open(table: PartTable, keys: readonly (readonly SqlValue[])[]): Promise<PartCell[]>;
  /** Writes a row to the cell of its key, or removes it. */
  set(cell: PartCell, row: PartRow | undefined): void;
  /** The amounts of such a table. */
  amounts(table: PartTable): PartAmounts;
  put(table: PartTable, row: PartRow): Promise<void>;
  remove(table: PartTable, key: readonly SqlValue[]): Promise<void>;
  /**
   * All rows of a state or of amounts in the order of its key; its bytes and numbers sort alike on both engines, texts do
   * not. What was opened before is to be opened again after it.
   */
  scan(table: PartTable): AsyncIterable<PartRow>;
};

/** What an input spends: the scriptPubKey of an output, and the number of that output along the chain. */
export type SpentOutput = { readonly script: Uint8Array; readonly outputId: number };

/** A block while it is connected. Transactions are addressed by their position in the block. */
export type ConnectedBlock = {
  readonly height: number;
  readonly hash: Uint8Array;
  /** Unix seconds. */
  readonly time: number;
  readonly medianTimePast: number;
  readonly txCount: number;
  getTxid(position: number): Uint8Array;
  /**
   * Number of a transaction: that of its first output, counted along the chain from 0. Its outputs have the numbers from it
   * up.
   */
  getTxId(position: number): number;
  /** Parses on first use; the bytes were scanned before, so this does not fail. */
  getTransaction(position: number): Transaction;
  /** The scriptPubKey that an input spends; undefined for a coinbase. */
  findPrevoutScript(position: number, vin: number): Promise<Uint8Array | undefined>;
  /** What the first inputs of many transactions spend; scripts of earlier blocks are read at once. */
  findFirstPrevouts(positions: readonly number[]): Promise<(SpentOutput | undefined)[]>;
  /**
   * Positions of the transactions with at least one output that begins with OP_RETURN. With a marker (4 bytes) only those
   * where one pushes it first: all that may carry a payload of its protocol, and few others.
   */
  listDataCarriers(marker?: Uint8Array): number[];
};

/**
 * A part of the service that derives state from confirmed blocks: names, tokens, proofs, payouts. It sees each block
 * once, in order; what it writes commits with the block and is undone with it. It must depend on nothing but the
 * blocks, so that an index after any reorg equals a fresh one.
 */
export type IndexerPart = {
  readonly name: string;
  /** Raise it with any change of meaning: the index is then rebuilt. */
  readonly version: number;
  /** What it takes from the coin profile, as text: another profile means another state, so the index is rebuilt. */
  readonly rules?: string;
  readonly tables: readonly PartTable[];
  connectBlock(block: ConnectedBlock, writer: PartWriter): Promise<void> | void;
};
