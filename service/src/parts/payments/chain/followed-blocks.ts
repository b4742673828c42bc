/** Up to which block the outputs of payments are recorded, and up to which they are judged. */

import type { PaymentQuery } from '../payment-context.ts';

/** A block by height and display hash. */
export type BlockRef = { height: number; hash: string };

/** Blocks below the latest so many are forgotten: deeper reorganisations are not followed. */
const KEPT_BLOCKS = 2_000;

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
    .where('height', '<', block.height - KEPT_BLOCKS)
    .execute();
}

/** The tip that payments were judged at last. */
export async function writeJudgedTip(trx: PaymentQuery, { height, hash }: BlockRef): Promise<void> {
  await trx
    .insertInto('follow_cursor')
    .values({ part: 'payments', height, hash })
    .onConflict((conflict) => conflict.column('part').doUpdateSet({ height, hash }))
    .execute();
}
