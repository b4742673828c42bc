/** Money that is no part of the deal: what is left over, what goes back, and what its merchant lets be. */
export const refundsSchema: readonly string[] = [
  `alter table payment add column refunded text not null default '0'`,
  `alter table payment add column resolved text not null default '0'`,
  'alter table payment add column refund_address text',
  'alter table payment add column refund_address_at bigint',
  // Payments with money that nobody has settled: few of many, and found by what their rows have already.
  `create index payment_unsettled on payment (merchant_id, created_at, id) where
    case when status in ('expired', 'cancelled') and accepted_at is null
      then cast(seen as bigint) + cast(late as bigint)
      else cast(late as bigint)
        + case when cast(seen as bigint) > cast(amount as bigint) then cast(seen as bigint) - cast(amount as bigint) else 0 end
    end <> cast(refunded as bigint) + cast(resolved as bigint)`,
  `create table refund (
    id text primary key, merchant_id text not null references merchant (id),
    payment_id text not null references payment (id), state text not null, amount text not null, address text not null, script_hash text not null, note text not null,
    txid text, earlier text not null, vout bigint, seen bigint not null, height bigint, problem text, final bigint not null,
    created_at bigint not null, sent_at bigint, confirmed_at bigint, cancelled_at bigint)`,
  'create index refund_payment on refund (payment_id, created_at, id)',
  // One output serves one refund of a merchant; what others say of it is their own affair.
  `create unique index refund_output on refund (merchant_id, txid, vout) where vout is not null and state <> 'cancelled'`,
  `create index refund_watched on refund (txid, id)
    where txid is not null and problem is null and final = 0 and state <> 'cancelled'`,
  `create table resolution (
    id text primary key, payment_id text not null references payment (id), amount text not null,
    uncovered text not null, note text not null, created_at bigint not null)`,
  'create index resolution_payment on resolution (payment_id, created_at, id)',
];
