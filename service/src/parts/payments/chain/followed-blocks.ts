/** Up to which block the outputs of payments are recorded, and up to which they are judged. */

import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { BlockRecord, ReadChain } from '../../../chain/chain-view.ts';
import type { PaymentQuery } from '../payment-context.ts';

/** A block by height and display hash. */
export type BlockRef = { height: number; hash: string };

export function refOf({ height, hash }: BlockRecord): BlockRef {
  return { height, hash: toDisplayHash(hash) };
}

/** Blocks below the latest so many are forgotten: deeper reorganisations are not followed. */
export const keptBlocks = 2_000;
/** SQLite binds 32,766 values in one statement. */
const ROWS_PER_INSERT = 1_000;

/** The blocks whose outputs are recorded, latest first. */
export async function listFollowedBlocks(db: PaymentQuery, limit: number): Promise<BlockRef[]> {
  return await db
    .selectFrom('followed_block')
    .select(['height', 'hash'])
    .orderBy('height', 'desc')
    .limit(limit)
    .execute();
}

/** Notes that all outputs up to this block are recorded. */
export async function recordFollowed(trx: PaymentQuery, block: BlockRef): Promise<void> {
  await trx
    .insertInto('followed_block')
    .values(block)
    .onConflict((conflict) => conflict.column('height').doUpdateSet({ hash: block.hash }))
    .execute();
  await trx
    .deleteFrom('followed_block')
    .where('height', '<', block.height - keptBlocks)
    .execute();
}

/**
 * Blocks below the lowest that is remembered, as far as blocks are remembered at all: of before this service followed the chain. Where a
 * reorganisation goes further back than that, what is new in the blocks below it must be found, too.
 */
export async function listBelow(
  readChain: ReadChain,
  db: PaymentQuery,
  followedHeight: number,
): Promise<BlockRef[]> {
  const lowest = await db
    .selectFrom('followed_block')
    .select(['height', 'hash'])
    .orderBy('height')
    .limit(1)
    .executeTakeFirst();
  const missing = lowest ? keptBlocks - (followedHeight - lowest.height) : 0;
  if (!lowest || lowest.height === 0 || missing <= 0) return [];
  return await readChain(async (view) => {
    const there = await view.findBlockAt(lowest.height);
    if (!there || toDisplayHash(there.hash) !== lowest.hash) return [];
    return (await view.listBlocks(lowest.height - 1, missing)).map(refOf);
  });
}

/** Remembers blocks below those that are: of before this service followed the chain. */
export async function recordBelow(trx: PaymentQuery, blocks: readonly BlockRef[]): Promise<void> {
  for (let start = 0; start < blocks.length; start += ROWS_PER_INSERT) {
    await trx
      .insertInto('followed_block')
      .values(blocks.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) => conflict.column('height').doNothing())
      .execute();
  }
}

/** The tip that payments were judged at last. */
export async function writeJudgedTip(trx: PaymentQuery, { height, hash }: BlockRef): Promise<void> {
  await trx
    .insertInto('follow_cursor')
    .values({ part: 'payments', height, hash })
    .onConflict((conflict) => conflict.column('part').doUpdateSet({ height, hash }))
    .execute();
}
