/** Tables of signed logs, all of them by the origin of the log: precious, and only ever added to. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migrations, Query } from '../db/precious.ts';

/** An entry, by its place. */
export type LogEntryTable = { origin: string; place: number; entry: string };

/** Hashes of the tree at levels of tiles: of the leaves at 0, of whole tiles of the level below above. Hex. */
export type LogHashTable = { origin: string; level: number; place: number; hash: string };

/** A checkpoint that was signed. */
export type LogHeadTable = { origin: string; size: number; root: string; note: string; signed_at: number };

/** A checkpoint whose digest was given to the chain. */
export type LogAnchorTable = { origin: string; size: number; digest: string; asked_at: number };

/** A line by which a witness has cosigned a checkpoint. */
export type CosignatureTable = {
  origin: string;
  size: number;
  /** Its key, hex. */
  witness: string;
  line: string;
  /** Unix seconds. */
  cosigned_at: number;
};

/** A log of others that this service is a witness for, and the newest checkpoint of it that was cosigned. */
export type WitnessedLogTable = {
  origin: string;
  /** Names the log of the peer that has it. */
  peer: string;
  /** 0 before the first. */
  size: number;
  root: string;
  note: string;
  /** The line of this witness. */
  line: string;
  cosigned_at: number;
};

/** A signed checkpoint that was not cosigned, with the one that was. */
export type RefusedHeadTable = {
  origin: string;
  /** SHA-256 of its three lines. */
  digest: string;
  reason: string;
  note: string;
  kept_note: string;
  refused_at: number;
};

export type SignedLogTables = {
  signed_log_entry: LogEntryTable;
  signed_log_hash: LogHashTable;
  signed_log_head: LogHeadTable;
  signed_log_anchor: LogAnchorTable;
  signed_log_cosignature: CosignatureTable;
  witnessed_log: WitnessedLogTable;
  /** Those that prove by themselves that the log was changed. */
  refused_head: RefusedHeadTable;
  /** Those that do not. */
  unproven_head: RefusedHeadTable;
};
export type SignedLogQuery = Query<SignedLogTables>;

/** The tables of logs in a transaction of a part: what is logged and its entry are written together. */
export function onLogTables<T>(query: Query<T>): SignedLogQuery {
  return query as unknown as SignedLogQuery;
}

/** The schema; both engines take the same text. */
export const signedLogMigrations: Migrations = {
  '0024_signed_log': async (db: Kysely<unknown>) => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const text of [...schema, ...(isPostgres ? appendOnlyPostgres : appendOnlySqlite)])
      await sql.raw(text).execute(db);
  },
  '0028_unproven_heads': async (db: Kysely<unknown>) => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const guard = isPostgres ? guardPostgres : guardSqlite;
    const unguard = isPostgres
      ? 'drop trigger refused_head_append_only on refused_head'
      : 'drop trigger refused_head_no_delete';
    const steps = [...unprovenHead, ...guard('unproven_head'), unguard, noProofs];
    const again = guard('refused_head').filter((text) => isPostgres || text.includes('_no_delete'));
    for (const text of [...steps, ...again]) await sql.raw(text).execute(db);
  },
};

/** What lay among the proofs and is none. */
const unprovenHead = [
  `create table unproven_head (
    origin text not null, digest text not null, reason text not null, note text not null, kept_note text not null,
    refused_at bigint not null, primary key (origin, digest, reason))`,
  `insert into unproven_head (origin, digest, reason, note, kept_note, refused_at)
    select origin, digest, reason, note, kept_note, refused_at from refused_head where reason <> 'other_root'`,
];
const noProofs = "delete from refused_head where reason <> 'other_root'";

const schema = [
  `create table signed_log_entry (
    origin text not null, place bigint not null, entry text not null, primary key (origin, place))`,
  `create table signed_log_hash (
    origin text not null, level bigint not null, place bigint not null, hash text not null,
    primary key (origin, level, place))`,
  `create table signed_log_head (
    origin text not null, size bigint not null, root text not null, note text not null, signed_at bigint not null,
    primary key (origin, size))`,
  `create table signed_log_anchor (
    origin text not null, size bigint not null, digest text not null, asked_at bigint not null,
    primary key (origin, size))`,
  `create table signed_log_cosignature (
    origin text not null, size bigint not null, witness text not null, line text not null, cosigned_at bigint not null,
    primary key (origin, size, witness))`,
  `create table witnessed_log (
    origin text primary key, peer text not null unique, size bigint not null, root text not null, note text not null,
    line text not null, cosigned_at bigint not null)`,
  `create table refused_head (
    origin text not null, digest text not null, reason text not null, note text not null, kept_note text not null,
    refused_at bigint not null, primary key (origin, digest))`,
];

const tables = [
  'signed_log_entry',
  'signed_log_hash',
  'signed_log_head',
  'signed_log_anchor',
  'refused_head',
];

/** The database refuses to change or remove what is in a log, whoever asks. */
function guardSqlite(table: string): string[] {
  return ['update', 'delete'].map(
    (verb) => `create trigger ${table}_no_${verb} before ${verb} on ${table}
      begin select raise(abort, 'a signed log is append-only'); end`,
  );
}

function guardPostgres(table: string): string[] {
  return [
    `create trigger ${table}_append_only before update or delete or truncate on ${table}
      for each statement execute function signed_log_refuse()`,
  ];
}

const appendOnlySqlite = tables.flatMap(guardSqlite);
const appendOnlyPostgres = [
  `create function signed_log_refuse() returns trigger language plpgsql as
    $$ begin raise exception 'a signed log is append-only'; end $$`,
  ...tables.flatMap(guardPostgres),
];
