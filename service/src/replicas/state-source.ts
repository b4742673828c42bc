import type { StateRow } from '@coinfront/protocol/canonical.ts';
import type { ChainView } from '../chain/chain-view.ts';

/** A row of a live state, and the script whose hash is in it, or the number of an output that pays that. */
export type SourceRow = { row: StateRow; script?: Uint8Array | number };

/** Rows that lie one behind the other in the order of their keys. */
export type RowsBehind = {
  rows: readonly SourceRow[];
  /** The last key that was looked at, live or not; undefined where nothing comes behind. */
  last: Uint8Array | undefined;
};

/** The live state of a protocol after the block of the tip, as its part reads it. */
export type StateSource = {
  /** Kinds of rows, in their order. */
  kinds: readonly number[];
  /**
   * The rows of a kind behind a key; all keys are behind one without bytes. What it does is bounded by `limit`, not by how
   * many rows are dead.
   */
  readBehind(
    view: ChainView,
    height: number,
    kind: number,
    key: Uint8Array,
    limit: number,
  ): Promise<RowsBehind>;
};

/** Where reading goes on: in a kind of rows, behind a key. */
export type StatePlace = { kind: number; key: Uint8Array };

/** The next rows of a state from a place on, and where it goes on; undefined at its end. */
export async function readStep(
  view: ChainView,
  height: number,
  source: StateSource,
  place: StatePlace | undefined,
  limit: number,
): Promise<{ rows: readonly SourceRow[]; next: StatePlace | undefined }> {
  const { kind, key } = place ?? { kind: source.kinds[0]!, key: new Uint8Array(0) };
  const { rows, last } = await source.readBehind(view, height, kind, key, limit);
  if (last !== undefined) return { rows, next: { kind, key: last } };
  const following = source.kinds[source.kinds.indexOf(kind) + 1];
  return { rows, next: following === undefined ? undefined : { kind: following, key: new Uint8Array(0) } };
}
