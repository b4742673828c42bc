/**
 * The same request twice has one effect: an `Idempotency-Key` remembers the answer of a success for 24 hours.
 *
 * The row is written in the transaction of what it remembers. Two requests with one key at once are kept apart by a set
 * in this process and, on PostgreSQL, by an advisory lock over all processes; on SQLite there is one writer.
 */

import { createHash } from 'node:crypto';
import { paymentLimits } from '@coinfront/api/payments.ts';
import { sql } from 'kysely';
import Type from 'typebox';
import type { Precious } from '../../../db/precious.ts';
import { AppError } from '../../../errors.ts';
import type { PaymentQuery } from '../payment-context.ts';

/** How long an answer is given again, milliseconds. */
export const idempotencyKeptMs = 86_400_000;
/** Rows that one request purges: a few more than it adds. */
const PURGED_AT_ONCE = 4;

/** Header that makes a POST safe to repeat. */
export const IdempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: paymentLimits.idempotencyKeyLength,
      pattern: '^[ -~]+$',
      description:
        'Makes the request safe to send again: for 24 hours the same key with the same body gets the same answer, and ' +
        'nothing is done twice. Printable ASCII; a random UUID is a good one.',
    }),
  ),
});

/** A keyed request of a merchant. */
export type KeyedRequest = { merchantId: string; key: string; requestHash: string };

/** SHA-256 of a body, whatever the order of its fields. */
export function hashRequest(body: unknown): string {
  return createHash('sha256').update(writeCanonical(body)).digest('hex');
}

function writeCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${writeCanonical(each)}`).join(',')}}`;
}

/** Requests that are running in this process, by merchant and key. */
export type RunningKeys = Set<string>;

/**
 * Runs `work` unless a request with this key is running here.
 *
 * @throws AppError `idempotency_key_in_use`
 */
export async function withRunningKey<R>(
  running: RunningKeys,
  { merchantId, key }: KeyedRequest,
  work: () => Promise<R>,
): Promise<R> {
  const name = `${merchantId} ${key}`;
  if (running.has(name)) throw inUse();
  running.add(name);
  try {
    return await work();
  } finally {
    running.delete(name);
  }
}

/**
 * The body that was answered to this request before; undefined when it is new.
 *
 * @throws AppError `idempotency_key_reused`
 */
export async function findAnswer(
  query: PaymentQuery,
  { merchantId, key, requestHash }: KeyedRequest,
  nowMs: number,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('idempotency')
    .select(['request_hash', 'body', 'created_at'])
    .where('merchant_id', '=', merchantId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (row === undefined || row.created_at <= nowMs - idempotencyKeptMs) return undefined;
  if (row.request_hash === requestHash) return row.body;
  const detail =
    'This Idempotency-Key came with another body in the last 24 hours. Use a new key for a new request; nothing was done.';
  throw new AppError('idempotency_key_reused', detail);
}

/**
 * Keeps other processes from answering a request with this key until the transaction ends.
 *
 * @throws AppError `idempotency_key_in_use`
 */
export async function holdKey(
  trx: PaymentQuery,
  engine: Precious['engine'],
  { merchantId, key }: KeyedRequest,
): Promise<void> {
  if (engine !== 'postgres') return;
  const id = createHash('sha256').update(`${merchantId} ${key}`).digest().readBigInt64BE();
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${id}) as taken`.execute(
    trx,
  );
  if (rows[0]?.taken !== true) throw inUse();
}

/** Remembers an answer, and forgets a few that are too old. */
export async function keepAnswer(
  trx: PaymentQuery,
  engine: Precious['engine'],
  { merchantId, key, requestHash }: KeyedRequest,
  answer: { status: number; body: string },
  nowMs: number,
): Promise<void> {
  const row = { request_hash: requestHash, ...answer, created_at: nowMs };
  await trx
    .insertInto('idempotency')
    .values({ merchant_id: merchantId, key, ...row })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'key']).doUpdateSet(row))
    .execute();
  const old = trx
    .selectFrom('idempotency')
    .select(['merchant_id', 'key'])
    .where('created_at', '<', nowMs - idempotencyKeptMs)
    .orderBy('created_at')
    .limit(PURGED_AT_ONCE);
  for (const { merchant_id, key: oldKey } of await (engine === 'postgres'
    ? old.forUpdate().skipLocked()
    : old
  ).execute()) {
    await trx
      .deleteFrom('idempotency')
      .where('merchant_id', '=', merchant_id)
      .where('key', '=', oldKey)
      .execute();
  }
}

function inUse(): AppError {
  const detail =
    'A request with this Idempotency-Key is still running. Send it again in a moment: it then gets its answer.';
  return new AppError('idempotency_key_in_use', detail, { 'retry-after': '1' });
}
