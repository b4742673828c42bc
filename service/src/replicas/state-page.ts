import type { StatePageJson } from '@coinfront/api/protocol-state.ts';
import { stateLimits } from '@coinfront/api/protocol-state.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { CHAIN_START } from '@coinfront/protocol/hash-chain.ts';
import { getBlockAt } from '../chain/chain-reads.ts';
import type { BlockRecord, ChainView } from '../chain/chain-view.ts';
import { AppError } from '../errors.ts';
import { decodeKeyCursor, encodeKeyCursor } from '../http/cursor.ts';
import { hashPiece } from '../http/position-cursor.ts';
import { describeAsOf } from '../http/snapshot.ts';
import type { SourceRow, StatePlace } from './state-source.ts';
import type { ToldState } from './told-state.ts';
import { explainUnreadable } from './unreadable-state.ts';

/** What the documents say of such a list. @param rows what it has, in its order */
export function describeStateList(rows: string): string {
  return (
    `${rows}, in the order in which they are hashed: SHA-256 over u8(kind), int(length) and key, int(length) and value of all rows ` +
    'is state(h) of `as_of`, which `?state=true` of the hashes gives, here and at other services. All pages are of the block of ' +
    'the first one, the tip or that of `height`, also when another is the tip: the cursor is good as long as the block can still be undone, and ' +
    'not too much has changed since.'
  );
}

/** Scripts of one page: beyond it the page ends before its limit. */
const MAX_SCRIPT_BYTES = 200_000;

/**
 * A page of the live state behind a block: that of `height`, or the tip. Later pages go on in the state of the same block.
 *
 * @throws AppError `block_not_found`, `state_unavailable`; `invalid_cursor`; `cursor_expired` when the block is no longer in the chain, or
 *   its state cannot be read any more
 */
export async function readStatePage(
  view: ChainView,
  tip: BlockRecord,
  { limit = stateLimits.default, height, cursor }: { limit?: number; height?: number; cursor?: string },
  { kinds, readState, hashes, rulesId, name }: ToldState,
): Promise<StatePageJson> {
  const { block, place } = cursor
    ? await readPlace(view, tip, cursor, { kinds, name, height })
    : { block: height === undefined ? tip : await getBlockAt(view, height), place: undefined };
  const step = await readState(view, block, place, limit);
  if (typeof step === 'string')
    throw new AppError(cursor ? 'cursor_expired' : 'state_unavailable', explainUnreadable(step, block));
  const { rows, next } = step;
  const scripts = await readScripts(view, rows);
  const { items, isCut } = serialiseRows(rows, scripts);
  const last = rows[items.length - 1];
  const goesOn = isCut && last ? { kind: last.row.kind, key: last.row.key } : next;
  const latest = await hashes.findLatest(view.reader, block.height);
  return {
    as_of: describeAsOf(block),
    rules_id: rulesId,
    chain_hash: bytesToHex(latest?.chain ?? CHAIN_START),
    items,
    next_cursor: goesOn === undefined ? null : makeCursor(block, name, goesOn),
  };
}

function makeCursor({ height, hash }: BlockRecord, name: string, { kind, key }: StatePlace): string {
  return encodeKeyCursor('state', name, [height, hashPiece(hash), kind], key);
}

async function readPlace(
  view: ChainView,
  tip: BlockRecord,
  cursor: string,
  { kinds, name, height: wanted }: { kinds: readonly number[]; name: string; height: number | undefined },
): Promise<{ block: BlockRecord; place: StatePlace }> {
  const { numbers, key } = decodeKeyCursor('state', name, cursor, 3);
  const [height, piece, kind] = numbers as [number, number, number];
  // The check of a cursor is no secret.
  if (!kinds.includes(kind)) throw new AppError('invalid_cursor', 'The cursor was not made for this list.');
  if (wanted !== undefined && wanted !== height) {
    throw new AppError(
      'invalid_cursor',
      `The cursor is of the state at height ${height}, not ${wanted}: leave out \`height\`.`,
    );
  }
  const block = height === tip.height ? tip : await view.findBlockAt(height);
  if (!block || piece !== hashPiece(block.hash)) {
    throw new AppError(
      'cursor_expired',
      `The page before was of the state behind a block at height ${height} that is no longer in the best chain; its tip is now ${tip.height} (${toDisplayHash(tip.hash)}). Begin anew.`,
    );
  }
  return { block, place: { kind, key } };
}

/** The scripts of rows, which some name by an output. */
async function readScripts(view: ChainView, rows: readonly SourceRow[]): Promise<(Uint8Array | undefined)[]> {
  const ids = rows.flatMap(({ script }) => (typeof script === 'number' ? [script] : []));
  const found = ids.length === 0 ? [] : await view.getScripts(ids);
  let next = 0;
  return rows.map(({ script }) => (typeof script === 'number' ? found[next++] : script));
}

function serialiseRows(rows: readonly SourceRow[], scripts: readonly (Uint8Array | undefined)[]) {
  const items: StatePageJson['items'] = [];
  let bytes = 0;
  for (const [i, { row }] of rows.entries()) {
    const script = scripts[i];
    bytes += script?.length ?? 0;
    if (bytes > MAX_SCRIPT_BYTES && items.length > 0) return { items, isCut: true };
    items.push({
      kind: row.kind,
      key: bytesToHex(row.key),
      value: bytesToHex(row.value),
      script: script === undefined ? null : bytesToHex(script),
    });
  }
  return { items, isCut: false };
}
