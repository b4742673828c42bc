import type { ChainView, HistoryEntry, ScriptReads } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { decodeCursor, encodeCursor } from '../../../http/cursor.ts';
import { hashPiece, type Position } from '../../../http/position-cursor.ts';
import type { GiveWay } from '../../../http/slices.ts';
import type { UsedScript } from './scan-wallet.ts';

/** Rows that are read of one script before it is known how many of them are among the newest. */
const FIRST_ROWS = 4;
const MORE_ROWS = 25;
const KIND = 'wallet';

/**
 * A page of the history of several scripts as one: newest first, the mempool before the chain, each transaction once with what it
 * does to all of them together.
 */
export async function listWalletHistory(
  view: ChainView,
  used: readonly UsedScript[],
  from: Position | undefined,
  limit: number,
  giveWay: GiveWay,
): Promise<{ entries: HistoryEntry[]; more: boolean }> {
  const want = limit + 1;
  const entries: HistoryEntry[] = [];
  if (from?.confirmed !== true && view.mempool.txs > 0)
    entries.push(...(await mergeNewest(used.map(openMempoolRows(view)), from?.id, want, giveWay)));
  if (entries.length < want) {
    const before = from?.confirmed === true ? from.id : undefined;
    entries.push(...(await mergeNewest(used.map(openConfirmedRows), before, want - entries.length, giveWay)));
  }
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}

/** Rows of one script from below an id, newest first. */
type ListRows = (beforeId: number | undefined, limit: number) => Promise<HistoryEntry[]>;

const openConfirmedRows =
  ({ reads }: UsedScript): ListRows =>
  (beforeId, limit) =>
    reads.listHistory(beforeId, limit);

const openMempoolRows =
  (view: ChainView) =>
  ({ script, mempool }: UsedScript): ListRows =>
  async (beforeId, limit) =>
    mempool.txCount === 0 ? [] : await view.listMempoolHistory(script, beforeId, limit);

/** What was read of a script and not taken yet. */
type Source = { list: ListRows; rows: HistoryEntry[]; at: number; isWhole: boolean };

async function mergeNewest(
  lists: readonly ListRows[],
  beforeId: number | undefined,
  want: number,
  giveWay: GiveWay,
): Promise<HistoryEntry[]> {
  const sources: Source[] = [];
  for (const list of lists) {
    await giveWay();
    const rows = await list(beforeId, FIRST_ROWS);
    if (rows.length > 0) sources.push({ list, rows, at: 0, isWhole: rows.length < FIRST_ROWS });
  }
  const merged: HistoryEntry[] = [];
  while (merged.length < want) {
    let newest: HistoryEntry | undefined;
    for (const { rows, at } of sources) {
      const row = rows[at];
      if (row !== undefined && (newest === undefined || row.txId > newest.txId)) newest = row;
    }
    if (newest === undefined) break;
    let delta = 0n;
    for (const source of sources) {
      const row = source.rows[source.at];
      if (row?.txId !== newest.txId) continue;
      delta += row.delta;
      source.at += 1;
      if (source.at < source.rows.length || source.isWhole) continue;
      await giveWay();
      source.rows = await source.list(row.txId, MORE_ROWS);
      source.at = 0;
      source.isWhole = source.rows.length < MORE_ROWS;
    }
    merged.push({ ...newest, delta });
  }
  return merged;
}

/** Makes the cursor of the last row shown; `subject` names the wallet. */
export async function makeWalletCursor(
  view: ChainView,
  subject: string,
  { txId, status }: HistoryEntry,
): Promise<string> {
  const block = status.confirmed ? await view.nameBlockAt(status.height) : view.tip;
  const phase = status.confirmed ? 1 : 0;
  return encodeCursor(KIND, subject, [phase, txId, block?.height ?? 0, hashPiece(block?.hash)]);
}

/**
 * Reads a cursor made by {@link makeWalletCursor} for the same wallet. One into the mempool expires with a block that has
 * transactions of the wallet, for then rows before it have become rows behind it.
 *
 * @throws AppError `invalid_cursor`, `cursor_expired`
 */
export async function readWalletCursor(
  view: ChainView,
  subject: string,
  used: readonly { reads: ScriptReads }[],
  cursor: string | undefined,
): Promise<Position | undefined> {
  const numbers = decodeCursor(KIND, subject, cursor, 4);
  if (numbers === undefined) return undefined;
  const [phase, id, height, piece] = numbers as [number, number, number, number];
  const block = await view.nameBlockAt(height);
  if (block === undefined || hashPiece(block.hash) !== piece)
    throw expired(`Block ${height} was replaced since the page before`);
  if (phase !== 0) return { confirmed: true, id };
  for (const { reads } of used) {
    const [newest] = await reads.listHistory(undefined, 1);
    if (newest?.status.confirmed && newest.status.height > height)
      throw expired(`Block ${newest.status.height} mined transactions of this list since the page before`);
  }
  return { confirmed: false, id };
}

function expired(reason: string): AppError {
  return new AppError('cursor_expired', `${reason}; begin the list anew.`);
}
