/** Rows of address pools. An address goes from ready to leased to retired, once; no two merchants ever have the same. */

import { sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PoolAddressTable, PoolState } from '../schema/payment-tables.ts';

/** How near to the threshold leases of one merchant are counted one after the other: more than can run at once. */
const COUNTED_APART = 256;
/** Any fixed number: the name among advisory locks of "what is in a pool, and what is a given recipient". */
const POOL_LOCK = 0x706f6f6c;

/** The next ready address of a merchant, locked until the transaction ends; others' locked ones are passed over. */
export async function findReadyAddress(
  trx: PaymentQuery,
  engine: Precious['engine'],
  merchantId: string,
): Promise<Pick<PoolAddressTable, 'script_hash' | 'address'> | undefined> {
  const query = trx
    .selectFrom('pool_address')
    .select(['script_hash', 'address'])
    .where('merchant_id', '=', merchantId)
    .where('state', '=', 'ready')
    .orderBy('position')
    .limit(1);
  return await (engine === 'postgres' ? query.forUpdate().skipLocked() : query).executeTakeFirst();
}

/** Leases an address to a payment whose row exists. */
export async function leaseAddress(
  trx: PaymentQuery,
  scriptHash: string,
  paymentId: string,
  nowMs: number,
): Promise<void> {
  await sql`update pool_address set state = 'leased', payment_id = ${paymentId}, leased_at = ${nowMs}
    where script_hash = ${scriptHash}`.execute(trx);
}

/** Takes an address out of a pool without a payment: somebody used it elsewhere. */
export async function discardAddress(trx: PaymentQuery, scriptHash: string): Promise<void> {
  await trx
    .updateTable('pool_address')
    .set({ state: 'retired' })
    .where('script_hash', '=', scriptHash)
    .execute();
}

/** Says that a payment needs its address no longer; nothing happens when it was not of a pool. */
export async function retireAddress(trx: PaymentQuery, paymentId: string): Promise<void> {
  await trx
    .updateTable('pool_address')
    .set({ state: 'retired' })
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'leased')
    .execute();
}

/**
 * How many addresses of a merchant are ready, as far as it matters to its threshold: counted exactly, each taking after
 * the other, when few are left. Call it after some were leased or discarded.
 */
export async function countReadyAfterTaking(
  trx: PaymentQuery,
  engine: Precious['engine'],
  merchantId: string,
  threshold: number,
): Promise<number> {
  const most = threshold + COUNTED_APART;
  const ready = await countReady(trx, merchantId, most);
  if (engine === 'sqlite' || ready === most) return ready;
  // Leases of other transactions do not show before they end. Each of them comes here as well, so in the order of this
  // lock every one sees all before it.
  await trx.selectFrom('merchant').select('id').where('id', '=', merchantId).forNoKeyUpdate().execute();
  return await countReady(trx, merchantId, most);
}

async function countReady(trx: PaymentQuery, merchantId: string, most: number): Promise<number> {
  const some = trx
    .selectFrom('pool_address')
    .select('position')
    .where('merchant_id', '=', merchantId)
    .where('state', '=', 'ready')
    .limit(most);
  const { count } = await trx
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether a script is in a merchant's pool. */
export async function isInPool(trx: PaymentQuery, merchantId: string, scriptHash: string): Promise<boolean> {
  const { rows } = await sql`select state from pool_address
    where merchant_id = ${merchantId} and script_hash = ${scriptHash}`.execute(trx);
  return rows.length > 0;
}

/** Keeps imports out until the transaction ends: what is in no pool now is in none then. */
export async function holdPools(trx: PaymentQuery, engine: Precious['engine']): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock_shared(${POOL_LOCK})`.execute(trx);
}

/** Keeps other imports, and payments to given recipients, out until the transaction ends. */
export async function holdPoolsAlone(trx: PaymentQuery, engine: Precious['engine']): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${POOL_LOCK})`.execute(trx);
}

/** Addresses of a merchant's pool by state. */
export async function countPool(query: PaymentQuery, merchantId: string): Promise<Record<PoolState, number>> {
  const rows = await query
    .selectFrom('pool_address')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .where('merchant_id', '=', merchantId)
    .groupBy('state')
    .execute();
  const counts: Record<PoolState, number> = { ready: 0, leased: 0, retired: 0 };
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/** A page of a merchant's pool in the order of leasing, from above `afterPosition`. */
export async function listPool(
  query: PaymentQuery,
  merchantId: string,
  state: PoolState | undefined,
  afterPosition: number,
  limit: number,
): Promise<PoolAddressTable[]> {
  let rows = query
    .selectFrom('pool_address')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('position', '>', afterPosition)
    .orderBy('position')
    .limit(limit);
  if (state !== undefined) rows = rows.where('state', '=', state);
  return await rows.execute();
}

/** Those of these scripts that are in a pool, any merchant's. */
export async function listPooledScripts(
  trx: PaymentQuery,
  scriptHashes: readonly string[],
): Promise<Set<string>> {
  if (scriptHashes.length === 0) return new Set();
  const rows = await trx
    .selectFrom('pool_address')
    .select('script_hash')
    .where('script_hash', 'in', scriptHashes)
    .execute();
  return new Set(rows.map(({ script_hash }) => script_hash));
}

/** Adds addresses behind those that a pool has; under {@link holdPoolsAlone}, which keeps positions apart. */
export async function addToPool(
  trx: PaymentQuery,
  merchantId: string,
  addresses: readonly { address: string; scriptHash: string; path: string | null }[],
  nowMs: number,
): Promise<void> {
  if (addresses.length === 0) return;
  const { last } = await trx
    .selectFrom('pool_address')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  const first = (last ?? 0) + 1;
  const rows = addresses.map(({ address, scriptHash, path }, i) => ({
    script_hash: scriptHash,
    merchant_id: merchantId,
    address,
    position: first + i,
    state: 'ready' as const,
    payment_id: null,
    path,
    imported_at: nowMs,
    leased_at: null,
  }));
  await trx.insertInto('pool_address').values(rows).execute();
}
