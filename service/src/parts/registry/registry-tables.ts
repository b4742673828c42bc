/** Tables of the node registry: precious, since nothing of it is in the chain. */

import type { NodeState } from '@coinfront/api/registry.ts';
import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migrations, Query } from '../../db/precious.ts';

/** States of a claim in its row; that it expired follows from its time. */
export type StoredClaimState = 'pending' | 'awaiting_endpoint' | 'verified' | 'superseded';

/** What a node's owner was asked to sign. Times are Unix milliseconds, hashes and keys hex. */
export type RegistryClaimTable = {
  id: string;
  state: StoredClaimState;
  domain: string;
  registry_key: string;
  node_key: string;
  endpoint: string;
  /** The /24 or /48 of the endpoint. */
  network: string;
  payout_address: string;
  endpoint_token: string;
  nonce: string;
  /** Who asked, and the /56 and /48 around it where there is one, by names of the day (`clients/client-names.ts`). */
  client: string;
  client_56: string | null;
  client_48: string | null;
  issued_at: number;
  /** Until when it can be signed. */
  expires_at: number;
  /** Until when it can become anything else: that, or the end of its wait for the endpoint. */
  open_until: number;
  verified_at: number | null;
  /** What it was signed with, once it was: whoever audits can check it again. */
  address_signature: string | null;
  node_signature: string | null;
};

/** A node that was registered, by its key. Counts are of slots, over all of its time. */
export type RegistryNodeTable = {
  node_key: string;
  state: NodeState;
  endpoint: string;
  network: string;
  payout_address: string;
  claim_id: string;
  registered_at: number;
  /** When its present registration was verified; it lapses when it was not seen for long since. */
  verified_at: number;
  first_passed_at: number | null;
  last_passed_at: number | null;
  passed: number;
  failed: number;
  voided: number;
  /** Looks that failed since one passed. */
  fails_in_row: number;
  /** The end of the last slot that was judged. */
  judged_until: number | null;
  /** It is not looked at before. */
  next_look_at: number;
  last_verdict: string | null;
  last_reason: string | null;
  last_sequence: number | null;
  lag: number | null;
  user_agent: string | null;
  protocol_version: number | null;
  /** Whether the last slot that passed had the token; null before. */
  endpoint_proven: number | null;
};

/** The log. `document` is the receipt as RFC 8785 writes it; the rest is what it is found by. */
export type RegistryReceiptTable = {
  sequence: number;
  epoch: number;
  node_key: string | null;
  hash: string;
  document: string;
  signature: string;
};

/** A closed epoch. `document` is its summary as RFC 8785 writes it. */
export type RegistryEpochTable = {
  epoch: number;
  first_sequence: number;
  last_sequence: number;
  root: string;
  document: string;
  signature: string;
  closed_at: number;
  /** What the operator had set aside for it, base units; null for none. */
  reward: string | null;
};

/** Slots of a node in an epoch, with what its registration was at the last of them. */
export type RegistryEpochNodeTable = {
  epoch: number;
  node_key: string;
  passed: number;
  failed: number;
  voided: number;
  network: string;
  payout_address: string;
  endpoint_proven: number | null;
  /** Slots passed in which it showed its token, at `endpoint`: where it was judged last. */
  proven: number;
  endpoint: string | null;
};

/** By which rules an epoch's rewards are shared. Epochs that began before there was a choice have no row: rules 1. */
export type RegistryEpochRulesTable = {
  epoch: number;
  rules: number;
  /** Slots in which anybody passed or failed, and the end of the last of them. */
  slots: number;
  last_slot_end: number | null;
};

/** What a node did at an endpoint in an epoch, and what others had done there when it was last judged. */
export type RegistryEpochEndpointTable = {
  epoch: number;
  endpoint: string;
  node_key: string;
  passed: number;
  failed: number;
  others_passed: number;
  others_failed: number;
};

/** The root of so many receipts of an epoch: see `epoch-tree.ts`. */
export type RegistryPartTable = { epoch: number; part: number; root: string };

/** One row: who looks at nodes, and how far it came. */
export type RegistryProberTable = {
  id: number;
  registry_key: string;
  epoch_blocks: number;
  holder: string;
  lease_until: number;
  /** The end of the last slot that was looked after; null before the first. */
  slot_end: number | null;
  last_run_at: number | null;
  own_state: string | null;
};

export type RegistryTables = {
  registry_claim: RegistryClaimTable;
  registry_node: RegistryNodeTable;
  registry_receipt: RegistryReceiptTable;
  registry_epoch: RegistryEpochTable;
  registry_epoch_node: RegistryEpochNodeTable;
  registry_epoch_rules: RegistryEpochRulesTable;
  registry_epoch_endpoint: RegistryEpochEndpointTable;
  registry_part: RegistryPartTable;
  registry_prober: RegistryProberTable;
};
export type RegistryQuery = Query<RegistryTables>;

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
