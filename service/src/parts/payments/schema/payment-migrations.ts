import { type Kysely, sql } from 'kysely';
import type { Migrations } from '../../../db/precious.ts';
import { refundsSchema } from './refunds-schema.ts';

/** The schema of payments, step by step; both engines take the same text. */
export const paymentMigrations: Migrations = {
  '0001_payments': async (db) => await run(db, firstSchema),
  '0008_payments': async (db) =>
    await run(db, ['create index payment_created_height on payment (created_height)']),
  '0009_payments': async (db) => await run(db, endings),
  '0010_payments': async (db) => await run(db, eachMerchantForItself),
  '0011_payments': async (db) => await run(db, selfService),
  '0012_payments': async (db) => await run(db, orders),
  '0013_payments': async (db) => await run(db, refundsSchema),
  '0014_payments': async (db) => await run(db, prices),
  '0015_payments': async (db) => await run(db, checkoutSettings),
  '0016_payments': async (db) => await run(db, shops),
  '0019_payments': async (db) => await run(db, sharedWork),
  '0039_payments': async (db) => await run(db, scriptKeys),
};

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const text of statements) await sql.raw(text).execute(db);
}

const firstSchema = [
  `create table merchant (
    id text primary key, name text not null, webhook_url text, pool_low_threshold bigint not null,
    sequence bigint not null, created_at bigint not null, disabled_at bigint)`,
  `create table api_key (
    hash text primary key, merchant_id text not null references merchant (id), hint text not null,
    created_at bigint not null, expires_at bigint)`,
  'create index api_key_merchant on api_key (merchant_id)',
  `create table webhook_secret (
    id text primary key, merchant_id text not null references merchant (id), secret text not null,
    created_at bigint not null, expires_at bigint)`,
  'create index webhook_secret_merchant on webhook_secret (merchant_id)',
  `create table disabled_receiver (
    merchant_id text not null references merchant (id), url text not null, disabled_at bigint not null,
    primary key (merchant_id, url))`,
  `create table payment (
    id text primary key, merchant_id text not null references merchant (id), status text not null, reason text,
    recipient text, address text not null, script_hash text not null, amount text not null,
    description text not null, confirmations_required bigint not null, webhook_url text,
    created_at bigint not null, expires_at bigint not null, updated_at bigint not null,
    created_height bigint not null, superseded bigint not null,
    seen text not null, mined text not null, deep text not null, late text not null,
    held bigint not null, settled bigint not null, final bigint not null, cancelled_at bigint, accepted_at bigint,
    sequence bigint not null, check_height bigint, is_due bigint not null)`,
  'create index payment_list on payment (merchant_id, created_at, id)',
  'create index payment_script on payment (script_hash)',
  // Nobody is credited by guessing: one script has one unfinished payment.
  `create unique index payment_unfinished on payment (script_hash)
    where status in ('open', 'underpaid', 'detected', 'confirming')`,
  `create index payment_watched on payment (status)
    where status in ('open', 'underpaid', 'detected', 'confirming', 'reorged')`,
  'create index payment_check on payment (check_height) where check_height is not null',
  `create index payment_expiry on payment (expires_at)
    where status in ('open', 'underpaid', 'detected', 'confirming') and held = 0 and accepted_at is null`,
  'create index payment_new on payment (id) where is_due = 1',
  'create index payment_due on payment (id) where is_due = 2',
  `create table payment_output (
    txid text not null, vout bigint not null, payment_id text not null references payment (id),
    value text not null, coinbase bigint not null, height bigint, block_hash text, block_time bigint,
    first_seen_at bigint not null, gone bigint not null, excluded bigint not null, late bigint not null,
    primary key (txid, vout))`,
  'create index payment_output_payment on payment_output (payment_id)',
  'create index payment_output_height on payment_output (height) where height is not null',
  'create index payment_output_mempool on payment_output (txid) where height is null and gone = 0',
  `create table event (
    id text primary key, merchant_id text not null references merchant (id),
    payment_id text references payment (id), type text not null, sequence bigint not null,
    body text not null, created_at bigint not null)`,
  'create unique index event_of_payment on event (payment_id, sequence) where payment_id is not null',
  'create unique index event_of_merchant on event (merchant_id, sequence) where payment_id is null',
  `create table delivery (
    id text primary key, event_id text not null references event (id),
    merchant_id text not null references merchant (id), url text not null, lane text not null,
    state text not null, attempts bigint not null, attempts_before bigint not null, next_at bigint not null,
    last_status bigint, last_error text, created_at bigint not null, ended_at bigint)`,
  `create index delivery_next on delivery (next_at) where state = 'pending'`,
  `create index delivery_lane on delivery (lane, next_at) where state = 'pending'`,
  `create index delivery_dead on delivery (id) where state = 'dead'`,
  'create index delivery_list on delivery (merchant_id, created_at, id)',
  'create index delivery_list_of_state on delivery (merchant_id, state, created_at, id)',
  'create index delivery_event on delivery (event_id)',
  `create table delivery_attempt (
    delivery_id text not null references delivery (id), attempt bigint not null, at bigint not null,
    duration_ms bigint not null, status bigint, error text, primary key (delivery_id, attempt))`,
  `create table pool_address (
    script_hash text primary key, merchant_id text not null references merchant (id), address text not null,
    position bigint not null, state text not null, payment_id text references payment (id), path text,
    imported_at bigint not null, leased_at bigint)`,
  'create unique index pool_order on pool_address (merchant_id, position)',
  'create index pool_state on pool_address (merchant_id, state, position)',
  'create index pool_payment on pool_address (payment_id) where payment_id is not null',
  `create table idempotency (
    merchant_id text not null references merchant (id), key text not null, request_hash text not null,
    status bigint not null, body text not null, created_at bigint not null, primary key (merchant_id, key))`,
  'create index idempotency_age on idempotency (created_at)',
  'create table follow_cursor (part text primary key, height bigint not null, hash text not null)',
  'create table followed_block (height bigint primary key, hash text not null)',
  'create table job_turn (job text primary key, turn bigint not null)',
];

/**
 * Payments that end. Until now one that had been seen in full once waited for ever, as one did that was accepted with too
 * little, or reorged: each is judged anew by the rules of now.
 */
const endings = [
  'alter table payment add column accepted_amount text',
  'alter table payment add column lost_at bigint',
  'alter table payment add column check_at bigint',
  // What had come by then, also what has gone since: nobody is taken to have accepted less than that.
  `update payment set accepted_amount = (
    select cast(sum(cast(o.value as bigint)) as text) from payment_output o
    where o.payment_id = payment.id and o.excluded = 0 and o.first_seen_at <= payment.accepted_at)
    where accepted_at is not null`,
  'update payment set accepted_at = null where accepted_amount is null',
  `update payment_output set late = 0
    where late = 1 and payment_id in (select id from payment where accepted_at is not null)`,
  // What was on its way when its payment was cancelled was late once it was judged.
  `update payment_output set late = 1 where late = 0 and excluded = 0
    and payment_id in (select id from payment where status = 'cancelled' and accepted_at is null)`,
  // Since when exactly nobody noted; not later than its last change.
  `update payment set lost_at = updated_at where status = 'reorged'`,
  `update payment set held = case when cast(seen as bigint) >= cast(amount as bigint) then 1 else 0 end
    where held = 1`,
  `update payment set check_at = expires_at
    where status in ('open', 'underpaid', 'detected', 'confirming', 'reorged')`,
  `update payment set is_due = 2 where is_due = 0
    and (status in ('open', 'underpaid', 'detected', 'confirming', 'reorged') or accepted_at is not null)`,
  'drop index payment_expiry',
  'create index payment_check_at on payment (check_at) where check_at is not null',
];

/**
 * One merchant's payments no longer stand in another's way: each has an account of its own of the outputs to a script. Old money that is
 * replaced is recognised, what may be replaced is noted, payments may be short by a tolerance, and say when they were paid.
 */
const eachMerchantForItself = [
  `alter table merchant add column tolerance_bps bigint not null default 0`,
  'alter table merchant add column tolerance_max text',
  `alter table payment add column tolerance text not null default '0'`,
  'alter table payment add column paid_at bigint',
  'alter table payment add column settled_at bigint',
  // Without both columns an engine may walk through all payments of a merchant.
  'drop index payment_script',
  'create index payment_script on payment (script_hash, merchant_id)',
  'drop index payment_unfinished',
  `create unique index payment_unfinished on payment (merchant_id, script_hash)
    where status in ('open', 'underpaid', 'detected', 'confirming')`,
  'drop index payment_output_payment',
  'drop index payment_output_height',
  'drop index payment_output_mempool',
  'alter table payment_output rename to payment_output_before',
  `create table payment_output (
    txid text not null, vout bigint not null, merchant_id text not null references merchant (id),
    payment_id text not null references payment (id),
    value text not null, coinbase bigint not null, height bigint, block_hash text, block_time bigint,
    first_seen_at bigint not null, gone bigint not null, excluded bigint not null, late bigint not null,
    replaceable bigint, fee_rate text,
    primary key (txid, vout, merchant_id))`,
  `insert into payment_output
    select o.txid, o.vout, p.merchant_id, o.payment_id, o.value, o.coinbase, o.height, o.block_hash, o.block_time,
      o.first_seen_at, o.gone, o.excluded, o.late, null, null
    from payment_output_before o join payment p on p.id = o.payment_id`,
  'drop table payment_output_before',
  'create index payment_output_payment on payment_output (payment_id)',
  'create index payment_output_height on payment_output (height) where height is not null',
  'create index payment_output_mempool on payment_output (txid) where height is null and gone = 0',
  `create table earlier_spend (
    merchant_id text not null references merchant (id), script_hash text not null, txid text not null, vout bigint not null,
    payment_id text not null references payment (id), excluded bigint not null, spender text not null,
    primary key (script_hash, txid, vout, merchant_id))`,
  // Only a later payment of the same merchant takes a script over.
  `update payment set superseded = 0 where superseded = 1 and not exists (
    select 1 from payment later
    where later.merchant_id = payment.merchant_id and later.script_hash = payment.script_hash
      and (later.created_at > payment.created_at
        or (later.created_at = payment.created_at and later.id > payment.id)))`,
  // When they were paid is told from the next look on.
  `update payment set is_due = 2 where is_due = 0
    and status in ('open', 'underpaid', 'detected', 'confirming', 'reorged')`,
];

/** Merchants look after themselves: webhook endpoints, keys with a name and a scope, defaults, the feed of events. */
const selfService = [
  `create table webhook_endpoint (
    id text primary key, merchant_id text not null references merchant (id), url text not null, format text not null,
    secret text, events text, enabled bigint not null, description text not null, created_at bigint not null)`,
  'create index webhook_endpoint_list on webhook_endpoint (merchant_id, created_at, id)',
  `create unique index webhook_endpoint_url on webhook_endpoint (merchant_id, url) where format = 'coinfront'`,
  'alter table delivery add column webhook_id text',
  'alter table delivery add column body text',
  `create index delivery_webhook on delivery (webhook_id) where state = 'pending' and webhook_id is not null`,
  'alter table api_key add column id text',
  // Any bits do: the hash of a random key tells nothing of it.
  `update api_key set id = 'key_' || upper(substr(hash, 1, 20))`,
  'create unique index api_key_id on api_key (id)',
  'alter table api_key add column name text',
  `alter table api_key add column scope text not null default 'all'`,
  'alter table api_key add column last_used_at bigint',
  'alter table merchant add column default_expires_in bigint',
  'alter table merchant add column default_confirmations bigint',
  `create table event_feed (
    merchant_id text primary key references merchant (id), position bigint not null, position_at bigint not null,
    begins_at bigint not null, purged bigint not null)`,
  'alter table event add column position bigint',
  'alter table event add column position_at bigint',
  'create unique index event_position on event (merchant_id, position) where position is not null',
  `create index event_position_at on event (merchant_id, position_at, position) where position is not null`,
  'create index event_unnumbered on event (merchant_id, created_at, sequence, id) where position is null',
];

/** What merchants note of their orders, and the orders of their lists. */
const orders = [
  'alter table payment add column order_id text',
  'alter table payment add column metadata text',
  `create index payment_order on payment (merchant_id, order_id, created_at, id)
    where order_id is not null`,
  `create index payment_order_taken on payment (merchant_id, order_id)
    where order_id is not null and (status not in ('expired', 'cancelled') or accepted_at is not null)`,
];

/** Prices in other money, with the rate of their time. */
const prices = [
  'alter table payment add column price_currency text',
  'alter table payment add column price_amount text',
  'alter table payment add column price_rate text',
  'alter table payment add column price_sources text',
  'alter table payment add column price_at bigint',
];

/** What merchants have shown on the checkout page, and where it leads back to. */
const checkoutSettings = [
  'alter table payment add column return_url text',
  `create table merchant_checkout (
    merchant_id text primary key references merchant (id), name text, mark text, mark_kind text,
    mark_width bigint, mark_height bigint, embed_origins text not null, updated_at bigint not null)`,
];

/** What plugins of shops are granted and told under `/btcpay`. */
const shops = [
  'alter table api_key add column granted text',
  `create unique index webhook_endpoint_shop_url on webhook_endpoint (merchant_id, url) where format = 'btcpay'`,
];

/** Work that several processes share. */
const sharedWork = [
  'alter table job_turn add column shared text',
  'alter table delivery add column is_taken bigint not null default 0',
  `create index delivery_taken on delivery (lane) where is_taken = 1 and state = 'pending'`,
];

/** What a block pays is looked up by what the index names scripts by. */
const scriptKeys = [
  'create index payment_script_key on payment (substr(script_hash, 1, 32)) where superseded = 0',
];
