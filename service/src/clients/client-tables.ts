/** Tables by which clients are counted over days and restarts. Addresses are in none of them. */

import { type Kysely, sql } from 'kysely';
import type { Migrations, Query } from '../db/precious.ts';

/** What networks of clients are hashed with on a day (UTC, days since 1970). Kept for that day and the next. */
export type ClientKeyTable = { day: number; key: string };

/** How often a network did something on a day; of today only. */
export type ClientDayTable = { day: number; what: string; client: string; count: number };

/** Keys that all processes have in common, each for one use. */
export type SharedKeyTable = { name: string; key: string };

export type ClientTables = {
  client_key: ClientKeyTable;
  client_day: ClientDayTable;
  shared_key: SharedKeyTable;
};
export type ClientQuery = Query<ClientTables>;

/** The schema. */
export const clientMigrations: Migrations = {
  '0017_clients': async (db: Kysely<unknown>) => {
    for (const text of schema) await sql.raw(text).execute(db);
  },
  '0020_clients': async (db: Kysely<unknown>) => {
    await sql.raw('create table shared_key (name text primary key, key text not null)').execute(db);
  },
};

const schema = [
  'create table client_key (day bigint primary key, key text not null)',
  `create table client_day (
    day bigint not null, what text not null, client text not null, count bigint not null, primary key (day, what, client))`,
];
