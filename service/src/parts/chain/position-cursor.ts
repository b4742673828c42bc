/**
 * Cursors into lists of chain rows.
 *
 * Rows are numbered in chain order, so a position means something else when a reorganisation replaced the block it
 * is in. The cursor therefore carries the height and a piece of the block's hash, and expires when they no longer
 * belong together: a client never silently misses or repeats a row.
 */

import { AppError } from '../../errors.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import type { ChainView } from './chain-view.ts';

/** Where a page goes on: below or above `id`, in the confirmed rows or in those of the mempool. */
export type Position = { confirmed: boolean; id: number };

/** Makes the cursor of the last row shown; `height` is undefined in the mempool. */
export async function makePositionCursor(
  view: ChainView,
  list: { kind: string; subject: string },
  last: { id: number; height: number | undefined },
): Promise<string> {
  if (last.height === undefined) return encodeCursor(list.kind, list.subject, [0, last.id, 0, 0]);
  const block = await view.findBlockAt(last.height);
  return encodeCursor(list.kind, list.subject, [1, last.id, last.height, hashPiece(block?.hash)]);
}

/**
 * Reads a cursor made by {@link makePositionCursor} for the same list.
 *
 * @throws AppError `invalid_cursor`, `cursor_expired`
 */
export async function readPositionCursor(
  view: ChainView,
  list: { kind: string; subject: string },
  cursor: string | undefined,
): Promise<Position | undefined> {
  const numbers = decodeCursor(list.kind, list.subject, cursor, 4);
  if (numbers === undefined) return undefined;
  const [phase, id, height, piece] = numbers as [number, number, number, number];
  if (phase === 0) return { confirmed: false, id };
  const block = await view.findBlockAt(height);
  if (block !== undefined && hashPiece(block.hash) === piece) return { confirmed: true, id };
  throw new AppError(
    'cursor_expired',
    `Block ${height} was replaced since the page before; begin the list anew.`,
  );
}

function hashPiece(hash: Uint8Array | undefined): number {
  return hash === undefined ? 0 : new DataView(hash.buffer, hash.byteOffset).getUint32(0, true);
}
