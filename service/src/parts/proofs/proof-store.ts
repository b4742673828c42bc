/** Reads the anchors that the index derives, in the snapshot of a view. */

import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';

/** Where an anchor stands in the chain. */
export type AnchorRow = { height: number; position: number; vout: number; digest: Uint8Array };

const LIST_BELOW = sql<AnchorRow>(
  `select height, position, vout, digest from proof_anchor
   where (height, position, vout) < ($1, $2, $3) order by height desc, position desc, vout desc limit $4`,
);
const GET_COUNT = sql<{ anchors: number }>('select anchors from proof_count where id = 0');

/** Position above every anchor. */
const END = [Number.MAX_SAFE_INTEGER, 0, 0] as const;

/** Anchors newest first, below `before` (height, position, vout) when given. */
export async function listAnchors(
  reader: Reader,
  before: readonly [number, number, number] = END,
  limit: number,
): Promise<AnchorRow[]> {
  return await reader.all(LIST_BELOW, [...before, limit]);
}

/** How many anchors the chain has. */
export async function countAnchors(reader: Reader): Promise<number> {
  return (await reader.get(GET_COUNT))?.anchors ?? 0;
}
