/** Reads the blocks of the pool that the index derives, in the snapshot of a view. */

import type { PoolBlockGrade } from '@coinfront/api/mining.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';

/** A block that carries the tag, in the chain or not. */
export type PoolBlock = {
  height: number;
  /** In display order. */
  hash: string;
  /** Unix seconds. */
  time: number;
  grade: PoolBlockGrade;
  total: bigint;
  miner: bigint;
  operator: bigint;
  minerScript: Uint8Array | undefined;
};

type Row = {
  height: bigint;
  hash: Uint8Array;
  time: bigint;
  grade: PoolBlockGrade;
  total: bigint;
  miner: bigint;
  operator: bigint;
  miner_script: Uint8Array | null;
};

const LIST_BELOW = sql<Row>(
  `select height, hash, time, grade, total, miner, operator, miner_script from pool_block
   where height < $1 order by height desc limit $2`,
  { bigints: true },
);
const LIST_VERIFIED = sql<Pick<Row, 'height' | 'hash' | 'time'>>(
  `select height, hash, time from pool_block where grade = 'verified' order by height desc limit $1`,
  { bigints: true },
);
const COUNT_FROM = sql<{ tagged: number; verified: number }>(
  `select count(*) as tagged, count(case when grade = 'verified' then 1 end) as verified
   from pool_block where height >= $1`,
);

/** Blocks of the chain below a height, newest first. */
export async function listPoolBlocks(
  reader: Reader,
  belowHeight: number,
  limit: number,
): Promise<PoolBlock[]> {
  return (await reader.all(LIST_BELOW, [belowHeight, limit])).map((row) => ({
    height: Number(row.height),
    hash: toDisplayHash(row.hash),
    time: Number(row.time),
    grade: row.grade,
    total: BigInt(row.total),
    miner: BigInt(row.miner),
    operator: BigInt(row.operator),
    minerScript: row.miner_script ?? undefined,
  }));
}

/** The latest blocks of the chain that keep the split, newest first. */
export async function listVerifiedBlocks(
  reader: Reader,
  limit: number,
): Promise<Pick<PoolBlock, 'height' | 'hash' | 'time'>[]> {
  return (await reader.all(LIST_VERIFIED, [limit])).map(({ height, hash, time }) => ({
    height: Number(height),
    hash: toDisplayHash(hash),
    time: Number(time),
  }));
}

/** How many blocks of the chain from a height on carry the tag, and of these keep the split. */
export async function countPoolBlocks(
  reader: Reader,
  fromHeight: number,
): Promise<{ tagged: number; verified: number }> {
  const row = await reader.get(COUNT_FROM, [fromHeight]);
  return { tagged: Number(row?.tagged ?? 0), verified: Number(row?.verified ?? 0) };
}
