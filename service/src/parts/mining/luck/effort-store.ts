import type { Kysely } from 'kysely';
import type { EffortTable, MiningHistoryTables } from '../history/mining-tables.ts';
import type { MiningTables } from '../seen-block-store.ts';

/** The newest blocks whose effort is kept. */
export const maxKeptEfforts = 10_000;
const HASHES_AT_ONCE = 500;

/** Where the effort of a block is from: the pool's software, or its share count as it was observed. */
export type KnownEffort = { effort: number; kind: EffortTable['kind'] };

/** Efforts that are kept, by the hash of the block in display order. */
export async function findEfforts(
  db: Kysely<MiningHistoryTables>,
  hashes: readonly string[],
): Promise<Map<string, KnownEffort>> {
  const found = new Map<string, KnownEffort>();
  for (let at = 0; at < hashes.length; at += HASHES_AT_ONCE) {
    const rows = await db
      .selectFrom('pool_effort')
      .select(['hash', 'effort', 'kind'])
      .where('hash', 'in', hashes.slice(at, at + HASHES_AT_ONCE))
      .execute();
    for (const { hash, effort, kind } of rows) found.set(hash, { effort: Number(effort), kind });
  }
  return found;
}

/** Keeps efforts. What the pool reports replaces what was observed. */
export async function keepEfforts(
  db: Kysely<MiningHistoryTables>,
  rows: readonly EffortTable[],
): Promise<void> {
  for (const row of rows)
    await db
      .insertInto('pool_effort')
      .values(row)
      .onConflict((conflict) =>
        row.kind === 'observed'
          ? conflict.column('hash').doNothing()
          : conflict.column('hash').doUpdateSet({ effort: row.effort, kind: row.kind }),
      )
      .execute();
  const tooOld = await db
    .selectFrom('pool_effort')
    .select('height')
    .orderBy('height', 'desc')
    .offset(maxKeptEfforts)
    .limit(1)
    .executeTakeFirst();
  if (tooOld !== undefined)
    await db.deleteFrom('pool_effort').where('height', '<=', Number(tooOld.height)).execute();
}

/** Blocks of the chain with the pool's tag and its split that were first seen after one moment and up to another, Unix milliseconds. */
export async function listSeenBetween(
  db: Kysely<MiningTables>,
  afterMs: number,
  upToMs: number,
): Promise<{ hash: string; height: number; seenAtMs: number }[]> {
  const rows = await db
    .selectFrom('pool_block_seen')
    .select(['hash', 'height', 'seen_at'])
    .where('seen_at', '>', afterMs)
    .where('seen_at', '<=', upToMs)
    .where('left_at', 'is', null)
    .where('grade', '=', 'verified')
    .limit(2)
    .execute();
  return rows.map(({ hash, height, seen_at: at }) => ({
    hash,
    height: Number(height),
    seenAtMs: Number(at),
  }));
}
