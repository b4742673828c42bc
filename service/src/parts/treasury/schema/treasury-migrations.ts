import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migrations } from '../../../db/precious.ts';
import { fillSkeletons } from './fill-skeletons.ts';
import type { TreasuryTables } from './treasury-tables.ts';

/** The schema of the treasury. */
export const treasuryMigrations: Migrations = {
  '0006_treasury': async (db) => {
    for (const text of schema) await sql.raw(text).execute(db);
    for (const text of isPostgres(db) ? appendOnlyPostgres : appendOnlySqlite('treasury_entry'))
      await run(db, text);
  },
  '0023_treasury_nicknames': async (db) => {
    for (const text of nicknameSchema) await run(db, text);
    await fillSkeletons(db as Kysely<TreasuryTables>);
  },
  // Entries of before are sealed by the first worker that starts: only it has the key.
  '0025_treasury_ledger': async (db) => {
    for (const text of ledgerSchema) await run(db, text);
    for (const text of isPostgres(db) ? sealsAppendOnlyPostgres : appendOnlySqlite('treasury_seal'))
      await run(db, text);
  },
  '0027_treasury_append_only': async (db) => {
    // Of what is waiting and what was withdrawn, in place of the one of what is waiting.
    await run(db, 'drop index treasury_assignment_waiting');
    await run(
      db,
      'create index treasury_assignment_unsettled on treasury_assignment (txid, vout) where is_applied <> 1',
    );
    // `replace into` deletes without a trigger of deletes. PostgreSQL has nothing like it.
    if (isPostgres(db)) return;
    await run(db, noReplaceSqlite('treasury_entry', ['sequence', 'reverses', 'rowid']));
    await run(db, noReplaceSqlite('treasury_seal', ['sequence', 'rowid']));
  },
};

function isPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

async function run(db: Kysely<unknown>, text: string): Promise<void> {
  await sql.raw(text).execute(db);
}

const schema = [
  'create table treasury_secret_key (id text primary key, key text not null)',
  `create table treasury_contributor (
    id text primary key, secret_hash text not null unique, nickname text, skeleton text unique,
    is_public bigint not null, hidden_at bigint, created_at bigint not null, updated_at bigint not null)`,
  'create index treasury_contributor_created on treasury_contributor (created_at)',
  'create table treasury_banned_nickname (skeleton text primary key, banned_at bigint not null)',
  `create table treasury_intent (
    id text primary key, contributor_id text not null references treasury_contributor (id),
    requested text not null, exact_amount text, tag text unique, created_at bigint not null,
    created_version bigint not null, expires_at bigint not null, closes_at bigint not null)`,
  'create index treasury_intent_list on treasury_intent (contributor_id, created_at)',
  'create index treasury_intent_amount on treasury_intent (exact_amount) where exact_amount is not null',
  `create table treasury_held_amount (
    amount text primary key, intent_id text not null references treasury_intent (id), held_until bigint not null)`,
  `create table treasury_sighting (
    txid text primary key, first_seen_at bigint not null, first_version bigint, inputs text not null)`,
  `create table treasury_entry (
    sequence bigint primary key, kind text not null, amount text not null, balance text not null,
    txid text not null, vout bigint, height bigint not null, block_hash text not null, block_time bigint not null,
    contributor_id text references treasury_contributor (id), intent_id text references treasury_intent (id),
    late bigint not null, reason text, reverses bigint unique references treasury_entry (sequence),
    recorded_at bigint not null)`,
  'create index treasury_entry_tx on treasury_entry (txid)',
  `create table treasury_coin (
    txid text not null, vout bigint not null, value text not null, kind text not null,
    sequence bigint not null references treasury_entry (sequence), height bigint not null,
    block_hash text not null,
    contributor_id text references treasury_contributor (id), intent_id text references treasury_intent (id),
    late bigint not null, verified_at bigint, spent_by bigint, primary key (txid, vout))`,
  'create index treasury_coin_intent on treasury_coin (intent_id) where intent_id is not null',
  'create index treasury_coin_contributor on treasury_coin (contributor_id, height) where contributor_id is not null',
  `create index treasury_coin_waiting on treasury_coin (height) where kind = 'contribution' and verified_at is null`,
  'create index treasury_coin_unspent on treasury_coin (txid, vout) where spent_by is null',
  'create index treasury_coin_spender on treasury_coin (spent_by) where spent_by is not null',
  `create table treasury_standing (
    contributor_id text primary key references treasury_contributor (id), total text not null,
    contributions bigint not null, first_height bigint not null)`,
  'create index treasury_standing_rank on treasury_standing (total desc, first_height, contributor_id)',
  `create table treasury_cursor (
    id text primary key, script text not null, height bigint not null, hash text not null, version bigint not null,
    sequence bigint not null, balance text not null, totals text not null, standings bigint not null)`,
];

const nicknameSchema = [
  `create table treasury_nickname_skeleton (
    skeleton text primary key, contributor_id text not null references treasury_contributor (id), freed_at bigint)`,
  'create index treasury_nickname_owner on treasury_nickname_skeleton (contributor_id)',
  // SQLite drops no column that is unique.
  'update treasury_contributor set skeleton = null',
];

const ledgerSchema = [
  `create table treasury_seal (
    sequence bigint primary key references treasury_entry (sequence), previous_hash text not null, salt text,
    hash text not null, service_key text not null, signature text not null)`,
  'create table treasury_script (script text primary key, added_at bigint not null)',
  'create index treasury_entry_height on treasury_entry (height, sequence)',
  'alter table treasury_entry add column assigned_by text',
  'alter table treasury_entry add column refers_to bigint',
  'alter table treasury_entry add column purpose text',
  'alter table treasury_entry add column payee text',
  `create table treasury_assignment (
    txid text not null, vout bigint not null, contributor_id text not null references treasury_contributor (id),
    assigned_by text not null, address text, signature text, made_at bigint not null, is_applied bigint not null,
    primary key (txid, vout))`,
  'create index treasury_assignment_waiting on treasury_assignment (txid, vout) where is_applied = 0',
  `create table treasury_note (
    txid text primary key, purpose text not null, payee text not null, made_at bigint not null, sequence bigint)`,
  'create index treasury_note_waiting on treasury_note (txid) where sequence is null',
];

/** Entries are history: the database refuses to change or remove them, whoever asks. */
const appendOnlySqlite = (table: string) =>
  ['update', 'delete'].map(
    (verb) => `create trigger ${table}_no_${verb} before ${verb} on ${table}
      begin select raise(abort, 'the ledger is append-only'); end`,
  );
const noReplaceSqlite = (table: string, unique: readonly string[]) =>
  `create trigger ${table}_no_replace before insert on ${table}
    when ${unique.map((column) => `exists (select 1 from ${table} where ${column} = new.${column})`).join(' or ')}
    begin select raise(abort, 'the ledger is append-only'); end`;
const appendOnlyPostgres = [
  `create function treasury_entry_refuse() returns trigger language plpgsql as
    $$ begin raise exception 'the ledger is append-only'; end $$`,
  `create trigger treasury_entry_append_only before update or delete or truncate on treasury_entry
    for each statement execute function treasury_entry_refuse()`,
];
const sealsAppendOnlyPostgres = [
  `create trigger treasury_seal_append_only before update or delete or truncate on treasury_seal
    for each statement execute function treasury_entry_refuse()`,
];
