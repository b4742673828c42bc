import type { StateRow } from '@coinfront/protocol/canonical.ts';
import type { ChainView } from '../chain/chain-view.ts';
import type { Table } from '../db/table.ts';
import type { UndoneRows } from '../indexer/parts/read-undone.ts';

/** A row of a live state, and the script whose hash is in it, or the number of an output that pays that. */
export type SourceRow = { row: StateRow; script?: Uint8Array | number };

/** Rows that lie one behind the other in the order of their keys. */
export type RowsBehind = {
  rows: readonly SourceRow[];
  /** The last key that was looked at, live or not; undefined where nothing comes behind. */
  last: Uint8Array | undefined;
};

/** What a row of an earlier state was; undefined where there was none, or a dead one. */
export type ChangedRow = { kind: number; key: Uint8Array; was: SourceRow | undefined };

/** The live state of a protocol, as its part reads it. */
export type StateSource = {
  /** Kinds of rows, in their order. */
  kinds: readonly number[];
  /**
   * The rows of a kind behind a key as the tables have them; all keys are behind one without bytes. What it does is bounded by
   * `limit`, not by how many rows are dead.
   *
   * @param height behind this block they live or are dead
   */
  readBehind(
    view: ChainView,
    height: number,
    kind: number,
    key: Uint8Array,
    limit: number,
  ): Promise<RowsBehind>;
  /** The tables that rows are made of. */
  tables: readonly Table[];
  /**
   * What the rows were behind the block of `height` that may have been others than the tables have, by what the tables' rows were. In no
   * order, each once.
   */
  listChanged(view: ChainView, height: number, undone: UndoneRows): Promise<ChangedRow[]>;
};

/** Where reading goes on: in a kind of rows, behind a key. */
export type StatePlace = { kind: number; key: Uint8Array };

/** The next rows of a state from a place on, and where it goes on; undefined at its end. */
export type StateStep = { rows: readonly SourceRow[]; next: StatePlace | undefined };
