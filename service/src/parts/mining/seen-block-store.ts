/**
 * Blocks of the pool that were seen in the chain. The index forgets a block that a reorganisation replaced; here those
 * stay, so that they can be listed as orphaned.
 */

import type { PoolBlockGrade } from '@coinfront/api/mining.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { type Kysely, sql } from 'kysely';
import type { Migrations, Query } from '../../db/precious.ts';
import type { PoolBlock } from './pool-block-store.ts';

/** `hash` is in display order, amounts are decimal text of base units, times Unix milliseconds but `time` (seconds). */
export type SeenBlockTable = {
  hash: string;
  height: number;
  time: number;
  grade: PoolBlockGrade;
  total: string;
  miner: string;
  operator: string;
  miner_script: string | null;
  seen_at: number;
  /** When another block was found in its place; null while it is in the chain. */
  left_at: number | null;
};

/** The part's precious tables. */
export type MiningTables = { pool_block_seen: SeenBlockTable };
type MiningQuery = Query<MiningTables>;

/** Where a seen block is remembered to be. */
export type SeenBlock = { hash: string; height: number; hasLeft: boolean };

/** The schema of seen blocks. */
export const miningMigrations: Migrations = {
  '0004_mining': async (db: Kysely<unknown>) => {
    await sql
      .raw(`create table pool_block_seen (
        hash text primary key, height bigint not null, time bigint not null, grade text not null,
        total text not null, miner text not null, operator text not null, miner_script text,
        seen_at bigint not null, left_at bigint)`)
      .execute(db);
    await sql.raw('create index pool_block_seen_height on pool_block_seen (height)').execute(db);
    await sql
      .raw('create index pool_block_seen_left on pool_block_seen (height, hash) where left_at is not null')
      .execute(db);
  },
};

/** Seen blocks above a height. */
export async function listSeenBlocks(db: MiningQuery, aboveHeight: number): Promise<SeenBlock[]> {
  const rows = await db
    .selectFrom('pool_block_seen')
    .select(['hash', 'height', 'left_at'])
    .where('height', '>', aboveHeight)
    .execute();
  return rows.map(({ hash, height, left_at }) => ({
    hash,
    height: Number(height),
    hasLeft: left_at !== null,
  }));
}

/** Remembers blocks; those that are known already stay as they are. */
export async function insertSeenBlocks(
  db: MiningQuery,
  blocks: readonly PoolBlock[],
  nowMs: number,
): Promise<void> {
  if (blocks.length === 0) return;
  const rows = blocks.map(({ hash, height, time, grade, total, miner, operator, minerScript }) => ({
    hash,
    height,
    time,
    grade,
    total: String(total),
    miner: String(miner),
    operator: String(operator),
    miner_script: minerScript === undefined ? null : bytesToHex(minerScript),
    seen_at: nowMs,
    left_at: null,
  }));
  await db
    .insertInto('pool_block_seen')
    .values(rows)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

/** Says of blocks that they left the chain (a time), or that they are in it again (null). */
export async function markSeenBlocks(
  db: MiningQuery,
  hashes: readonly string[],
  leftAtMs: number | null,
): Promise<void> {
  if (hashes.length === 0) return;
  await db.updateTable('pool_block_seen').set({ left_at: leftAtMs }).where('hash', 'in', hashes).execute();
}

/** Forgets blocks of the chain that are too deep to leave it. */
export async function pruneSeenBlocks(db: MiningQuery, upToHeight: number): Promise<void> {
  await db
    .deleteFrom('pool_block_seen')
    .where('height', '<=', upToHeight)
    .where('left_at', 'is', null)
    .execute();
}

/** Blocks that left the chain, below a height, newest first. */
export async function listLeftBlocks(
  db: MiningQuery,
  belowHeight: number,
  limit: number,
): Promise<PoolBlock[]> {
  const rows = await db
    .selectFrom('pool_block_seen')
    .selectAll()
    .where('left_at', 'is not', null)
    .where('height', '<', belowHeight)
    .orderBy('height', 'desc')
    .orderBy('hash')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    height: Number(row.height),
    hash: row.hash,
    time: Number(row.time),
    grade: row.grade,
    total: BigInt(row.total),
    miner: BigInt(row.miner),
    operator: BigInt(row.operator),
    minerScript: row.miner_script === null ? undefined : getHexBytes(row.miner_script),
  }));
}
