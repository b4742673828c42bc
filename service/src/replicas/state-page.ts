import type { StatePageJson } from '@coinfront/api/protocol-state.ts';
import { stateLimits } from '@coinfront/api/protocol-state.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { CHAIN_START } from '@coinfront/protocol/hash-chain.ts';
import type { BlockRecord, ChainView } from '../chain/chain-view.ts';
import { AppError } from '../errors.ts';
import { decodeKeyCursor, encodeKeyCursor } from '../http/cursor.ts';
import { hashPiece } from '../http/position-cursor.ts';
import { describeAsOf } from '../http/snapshot.ts';
import type { HashLog } from '../indexer/parts/hash-log.ts';
import { readStep, type SourceRow, type StatePlace, type StateSource } from './state-source.ts';

/** What the pages of a protocol's state are made with. */
export type StateList = { source: StateSource; hashes: HashLog; rulesId: string; name: string };

/** What the documents say of such a list. @param rows what it has, in its order */
export function describeStateList(rows: string): string {
  return (
    `${rows}, in the order in which they are hashed: SHA-256 over u8(kind), int(length) and key, int(length) and value of all rows ` +
    'is state(h) of `as_of`, which `?state=true` of the hashes gives, here and at other services. All pages are of the block of ' +
    'the first one: when another is the tip the cursor expires, and the list is begun anew.'
  );
}

/** Scripts of one page: beyond it the page ends before its limit. */
const MAX_SCRIPT_BYTES = 200_000;

/**
 * A page of the live state after the block of the tip. A later page goes on in the state of the same block only.
 *
 * @throws AppError `invalid_cursor`; `cursor_expired` when the tip is another one
 */
export async function readStatePage(
  view: ChainView,
  tip: BlockRecord,
  { limit = stateLimits.default, cursor }: { limit?: number; cursor?: string },
  { source, hashes, rulesId, name }: StateList,
): Promise<StatePageJson> {
  const place = readPlace(tip, name, source, cursor);
  const { rows, next } = await readStep(view, tip.height, source, place, limit);
  const scripts = await readScripts(view, rows);
  const { items, isCut } = serialiseRows(rows, scripts);
  const last = rows[items.length - 1];
  const goesOn = isCut && last ? { kind: last.row.kind, key: last.row.key } : next;
  const latest = await hashes.findLatest(view.reader);
  return {
    as_of: describeAsOf(tip),
    rules_id: rulesId,
    chain_hash: bytesToHex(latest?.chain ?? CHAIN_START),
    items,
    next_cursor: goesOn === undefined ? null : makeCursor(tip, name, goesOn),
  };
}

function makeCursor({ height, hash }: BlockRecord, name: string, { kind, key }: StatePlace): string {
  return encodeKeyCursor('state', name, [height, hashPiece(hash), kind], key);
}

function readPlace(
  tip: BlockRecord,
  name: string,
  { kinds }: StateSource,
  cursor: string | undefined,
): StatePlace | undefined {
  if (cursor === undefined) return undefined;
  const { numbers, key } = decodeKeyCursor('state', name, cursor, 3);
  const [height, piece, kind] = numbers as [number, number, number];
  if (height !== tip.height || piece !== hashPiece(tip.hash)) {
    throw new AppError(
      'cursor_expired',
      `The page before was of the state at height ${height}; the tip is now block ${tip.height} (${toDisplayHash(tip.hash)}), and only its state can be read. Begin anew.`,
    );
  }
  // The check of a cursor is no secret.
  if (!kinds.includes(kind)) throw new AppError('invalid_cursor', 'The cursor was not made for this list.');
  return { kind, key };
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
