import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migrations } from '../../../db/precious.ts';

/** The schema; both engines take the same text. */
export const registryMigrations: Migrations = {
  '0007_registry': async (db: Kysely<unknown>) => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const text of [...firstSchema, ...(isPostgres ? appendOnlyPostgres : appendOnlySqlite)])
      await sql.raw(text).execute(db);
  },
  '0018_registry_clients': async (db: Kysely<unknown>) => {
    for (const text of clientSchema) await sql.raw(text).execute(db);
  },
  '0021_registry_parts': async (db: Kysely<unknown>) => {
    await sql.raw(partSchema).execute(db);
  },
  '0022_registry_rewards': async (db: Kysely<unknown>) => {
    for (const text of rewardSchema) await sql.raw(text).execute(db);
  },
  '0033_registry_days': async (db: Kysely<unknown>) => {
    for (const text of daySchema) await sql.raw(text).execute(db);
  },
  '0035_registry_names': async (db: Kysely<unknown>) => {
    for (const text of nameSchema) await sql.raw(text).execute(db);
  },
  '0036_registry_alerts': async (db: Kysely<unknown>) => {
    for (const text of alertSchema) await sql.raw(text).execute(db);
  },
  '0038_registry_vantages': async (db: Kysely<unknown>) => {
    for (const text of vantageSchema) await sql.raw(text).execute(db);
  },
};

const firstSchema = [
  `create table registry_claim (
    id text primary key, state text not null, domain text not null, registry_key text not null, node_key text not null,
    endpoint text not null, network text not null, payout_address text not null,
    endpoint_token text not null, nonce text not null, client text not null, issued_at bigint not null, expires_at bigint not null,
    open_until bigint not null, verified_at bigint, address_signature text, node_signature text)`,
  'create index registry_claim_key on registry_claim (node_key)',
  "create index registry_claim_client on registry_claim (client) where state in ('pending', 'awaiting_endpoint')",
  "create index registry_claim_payout on registry_claim (payout_address) where state in ('pending', 'awaiting_endpoint')",
  "create index registry_claim_open on registry_claim (open_until) where state in ('pending', 'awaiting_endpoint')",
  "create index registry_claim_old on registry_claim (open_until) where state <> 'verified'",
  "create index registry_claim_token on registry_claim (endpoint_token) where state = 'awaiting_endpoint'",
  `create table registry_node (
    node_key text primary key, state text not null, endpoint text not null, network text not null,
    payout_address text not null, claim_id text not null references registry_claim (id),
    registered_at bigint not null, verified_at bigint not null, first_passed_at bigint, last_passed_at bigint,
    passed bigint not null, failed bigint not null, voided bigint not null, fails_in_row bigint not null,
    judged_until bigint, next_look_at bigint not null, last_verdict text, last_reason text, last_sequence bigint,
    lag bigint, user_agent text, protocol_version bigint, endpoint_proven bigint)`,
  // Whatever happens at the same moment: an endpoint belongs to one active node.
  "create unique index registry_node_endpoint on registry_node (endpoint) where state = 'active'",
  "create index registry_node_network on registry_node (network) where state = 'active'",
  'create index registry_node_claim on registry_node (claim_id)',
  'create index registry_node_state on registry_node (state, node_key)',
  `create table registry_receipt (
    sequence bigint primary key, epoch bigint not null, node_key text, hash text not null, document text not null,
    signature text not null)`,
  'create index registry_receipt_epoch on registry_receipt (epoch, sequence)',
  'create index registry_receipt_node on registry_receipt (node_key, sequence)',
  `create table registry_epoch (
    epoch bigint primary key, first_sequence bigint not null, last_sequence bigint not null, root text not null,
    document text not null, signature text not null, closed_at bigint not null, reward text)`,
  `create table registry_epoch_node (
    epoch bigint not null, node_key text not null, passed bigint not null, failed bigint not null,
    voided bigint not null, network text not null, payout_address text not null, endpoint_proven bigint,
    primary key (epoch, node_key))`,
  `create table registry_prober (
    id bigint primary key, registry_key text not null, epoch_blocks bigint not null, holder text not null,
    lease_until bigint not null, slot_end bigint, last_run_at bigint, own_state text)`,
];

const clientSchema = [
  'alter table registry_claim add column client_56 text',
  'alter table registry_claim add column client_48 text',
  // What is there was hashed without a key.
  "update registry_claim set client = ''",
  "create index registry_claim_56 on registry_claim (client_56) where state in ('pending', 'awaiting_endpoint')",
  "create index registry_claim_48 on registry_claim (client_48) where state in ('pending', 'awaiting_endpoint')",
  'drop index registry_claim_payout',
];

const partSchema = `create table registry_part (
  epoch bigint not null, part bigint not null, root text not null, primary key (epoch, part))`;

const rewardSchema = [
  `create table registry_epoch_rules (
    epoch bigint primary key, rules bigint not null, slots bigint not null, last_slot_end bigint)`,
  `create table registry_epoch_endpoint (
    epoch bigint not null, endpoint text not null, node_key text not null, passed bigint not null, failed bigint not null,
    others_passed bigint not null, others_failed bigint not null, primary key (epoch, endpoint, node_key))`,
  'create index registry_epoch_endpoint_node on registry_epoch_endpoint (epoch, node_key)',
  'alter table registry_epoch_node add column proven bigint not null default 0',
  // Where these slots were served; null in epochs of before, which do not ask.
  'alter table registry_epoch_node add column endpoint text',
];

const daySchema = [
  `create table registry_node_day (
    node_key text not null, day bigint not null, passed bigint not null, failed bigint not null,
    primary key (node_key, day))`,
  'create index registry_node_day_age on registry_node_day (day)',
];

const nameSchema = [
  'alter table registry_claim add column reached text',
  'alter table registry_node add column reached text',
  "create index registry_node_reached on registry_node (reached) where state = 'active'",
];

const alertSchema = [
  `create table registry_alert_receiver (
    node_key text primary key, url text, secret text, issued_at bigint not null,
    changed_at bigint not null, is_failing bigint not null, was_eligible bigint, alerts bigint not null)`,
  `create table registry_alert (
    id text primary key, node_key text not null, type text not null, url text not null, origin text not null, secret text not null,
    body text not null, state text not null, attempts bigint not null, next_at bigint not null, last_status bigint,
    last_error text, created_at bigint not null, ended_at bigint)`,
  "create index registry_alert_due on registry_alert (next_at) where state = 'pending'",
  "create index registry_alert_node on registry_alert (node_key, created_at) where state = 'pending'",
  'create index registry_alert_ended on registry_alert (ended_at)',
  // Rules 4 of rewards: the autonomous system of a node, and the SHA-256 of the table that it is of.
  'alter table registry_epoch_node add column asn bigint',
  'alter table registry_epoch_rules add column as_table text',
];

const vantageSchema = [
  `create table registry_statement (
    hash text primary key, vantage text not null, slot_start bigint not null, slot_end bigint not null, document text not null,
    signature text not null, received_at bigint not null, is_second bigint not null)`,
  // Two of a slot prove that somebody says two things; the index is the order of the list, too.
  'create unique index registry_statement_slot on registry_statement (slot_start, vantage, is_second)',
  'create index registry_statement_vantage on registry_statement (vantage, slot_end)',
  'create index registry_statement_second on registry_statement (is_second) where is_second = 1',
  // Keys of the vantage points that an epoch began with, by commas; null without any.
  'alter table registry_epoch_rules add column vantages text',
];

const logTables = ['registry_receipt', 'registry_epoch'];

/** The log only grows: the database refuses to change or remove what is in it, whoever asks. */
const appendOnlySqlite = logTables.flatMap((table) =>
  ['update', 'delete'].map(
    (verb) => `create trigger ${table}_no_${verb} before ${verb} on ${table}
      begin select raise(abort, 'the log of the registry is append-only'); end`,
  ),
);
const appendOnlyPostgres = [
  `create function registry_log_refuse() returns trigger language plpgsql as
    $$ begin raise exception 'the log of the registry is append-only'; end $$`,
  ...logTables.map(
    (table) => `create trigger ${table}_append_only before update or delete or truncate on ${table}
      for each statement execute function registry_log_refuse()`,
  ),
];
