/**
 * Cursors into lists of chain rows.
 *
 * Rows are numbered in chain order, so a position means something else when a reorganisation replaced the block it
 * is in. The cursor therefore carries the height and a piece of the block's hash, and expires when they no longer
 * belong together. A position in the mempool carries those of the tip: when a later block mined something of the same
 * script, rows of the mempool have become rows of the chain, which were listed already or come after. Thus a client
 * never silently misses or repeats a row.
 */

import type { ChainView } from '../chain/chain-view.ts';
import { AppError } from '../errors.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

/** Where a page goes on: below or above `id`, in the confirmed rows or in those of the mempool. */
export type Position = { confirmed: boolean; id: number };

/** A list of rows of one script; `kind` and `subject` tell its cursors from those of others. */
export type PositionList = { kind: string; subject: string; script: Uint8Array };

/** Makes the cursor of the last row shown; `height` is undefined in the mempool. */
export async function makePositionCursor(
  view: ChainView,
  { kind, subject }: PositionList,
  last: { id: number; height: number | undefined },
): Promise<string> {
  const block = last.height === undefined ? view.tip : await view.nameBlockAt(last.height);
  const phase = last.height === undefined ? 0 : 1;
  return encodeCursor(kind, subject, [phase, last.id, block?.height ?? 0, hashPiece(block?.hash)]);
}

/**
 * Reads a cursor made by {@link makePositionCursor} for the same list.
 *
 * @throws AppError `invalid_cursor`, `cursor_expired`
 */
export async function readPositionCursor(
  view: ChainView,
  { kind, subject, script }: PositionList,
  cursor: string | undefined,
): Promise<Position | undefined> {
  const numbers = decodeCursor(kind, subject, cursor, 4);
  if (numbers === undefined) return undefined;
  const [phase, id, height, piece] = numbers as [number, number, number, number];
  const block = await view.nameBlockAt(height);
  if (block === undefined || hashPiece(block.hash) !== piece) {
    throw expired(`Block ${height} was replaced since the page before`);
  }
  if (phase !== 0) return { confirmed: true, id };
  const [newest] = await view.listHistory(script, undefined, 1);
  if (newest?.status.confirmed && newest.status.height > height) {
    throw expired(`Block ${newest.status.height} mined transactions of this list since the page before`);
  }
  return { confirmed: false, id };
}

/**
 * Makes the cursor of a row that a block made, in a list of rows of many blocks; `numbers` say which row of the block.
 */
export async function makeRowCursor(
  view: ChainView,
  { kind, subject }: Omit<PositionList, 'script'>,
  height: number,
  numbers: readonly number[],
): Promise<string> {
  const block = await view.nameBlockAt(height);
  return encodeCursor(kind, subject, [height, hashPiece(block?.hash), ...numbers]);
}

/**
 * Reads a cursor made by {@link makeRowCursor} for the same list, with so many numbers.
 *
 * @throws AppError `invalid_cursor`, `cursor_expired`
 */
export async function readRowCursor(
  view: ChainView,
  { kind, subject }: Omit<PositionList, 'script'>,
  cursor: string | undefined,
  count: number,
): Promise<{ height: number; numbers: number[] } | undefined> {
  const decoded = decodeCursor(kind, subject, cursor, count + 2);
  if (decoded === undefined) return undefined;
  const [height, piece, ...numbers] = decoded as [number, number, ...number[]];
  const block = await view.nameBlockAt(height);
  if (block === undefined || hashPiece(block.hash) !== piece) {
    throw expired(`Block ${height} was replaced since the page before`);
  }
  return { height, numbers };
}

function expired(reason: string): AppError {
  return new AppError('cursor_expired', `${reason}; begin the list anew.`);
}

/** Enough of a hash to tell the blocks of a height apart. */
export function hashPiece(hash: Uint8Array | undefined): number {
  return hash === undefined ? 0 : new DataView(hash.buffer, hash.byteOffset).getUint32(0, true);
}
