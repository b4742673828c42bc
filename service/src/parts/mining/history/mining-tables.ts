/** Precious tables of what a pool did over time: nothing else remembers it. */

import { type Kysely, sql } from 'kysely';
import type { Migrations } from '../../../db/precious.ts';

/**
 * Hashrates of some steps in a row. `pool` is a further pool's name, '' of the main one; `miner` the miner's whole name, '' of the pool itself. `step` is
 * seconds, `start` Unix seconds, `rates` as `writeRow` writes them, thousandths of hashes per second.
 */
export type RateTable = { pool: string; miner: string; step: number; start: number; rates: string };

/** Effort of a block of the main pool, by its hash in display order. */
export type EffortTable = { hash: string; height: number; effort: number; kind: 'reported' | 'observed' };

export type MiningHistoryTables = { pool_rate: RateTable; pool_effort: EffortTable };

/** The schema. */
export const miningHistoryMigrations: Migrations = {
  '0032_mining_history': async (db: Kysely<unknown>) => {
    await sql
      .raw(`create table pool_rate (
        pool text not null, miner text not null, step bigint not null, start bigint not null, rates text not null,
        primary key (pool, miner, step, start))`)
      .execute(db);
    await sql.raw('create index pool_rate_start on pool_rate (pool, step, start, miner)').execute(db);
    await sql
      .raw(`create table pool_effort (
        hash text primary key, height bigint not null, effort double precision not null, kind text not null)`)
      .execute(db);
    await sql.raw('create index pool_effort_height on pool_effort (height)').execute(db);
  },
};
