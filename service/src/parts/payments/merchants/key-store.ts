/** Keys of a merchant as rows: made, listed, revoked, used. */

import { type KeyJson, type KeyRequestJson, merchantKeyLimits } from '@coinfront/api/merchant-keys.ts';
import type { Precious } from '../../../db/precious.ts';
import { AppError } from '../../../errors.ts';
import { checkText } from '../check-text.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import type { ApiKeyTable, PaymentTables } from '../schema/payment-tables.ts';
import { writeTime } from '../write-time.ts';
import { createApiKey } from './api-key.ts';
import { holdMerchant } from './merchant-store.ts';

/** What is noted of a key's last use is so coarse, milliseconds: one write in so long. */
const USE_NOTED_MS = 3_600_000;

type Context = Pick<PaymentContext, 'precious' | 'now'>;

/**
 * Makes a key with a name.
 *
 * @param granted what it is granted to an application for, which makes it good under `/btcpay` only; null for keys that are not
 * @returns its row, and the key, which nobody can show again
 * @throws AppError `keys_exhausted`, `invalid_body`
 */
export async function createNamedKey(
  { precious, now }: Context,
  merchantId: string,
  { name, scope, expires_in: expiresIn }: KeyRequestJson,
  granted: readonly string[] | null = null,
): Promise<{ row: ApiKeyTable; key: string }> {
  checkText('name', name);
  const { key, hash, hint } = createApiKey();
  return await precious.transaction<PaymentTables, { row: ApiKeyTable; key: string }>(async (trx) => {
    await holdMerchant(trx, merchantId);
    const nowMs = now();
    // Of no use to anybody, and they would be kept for ever.
    await trx
      .deleteFrom('api_key')
      .where('merchant_id', '=', merchantId)
      .where('name', 'is not', null)
      .where('expires_at', '<=', nowMs)
      .execute();
    const valid = await selectValid(trx, merchantId, nowMs).select('id').execute();
    if (valid.length >= merchantKeyLimits.count) {
      const detail = `A merchant has at most ${merchantKeyLimits.count} API keys; revoke one that is not used.`;
      throw new AppError('keys_exhausted', detail);
    }
    const row = {
      ...{ hash, merchant_id: merchantId, id: createId('key'), name, scope, hint, created_at: nowMs },
      expires_at: expiresIn === undefined ? null : nowMs + expiresIn * 1000,
      last_used_at: null,
      granted: granted === null ? null : JSON.stringify(granted),
    };
    await trx.insertInto('api_key').values(row).execute();
    return { row, key };
  });
}

/** A merchant's valid keys above a place, oldest first. */
export async function listKeys(
  query: PaymentQuery,
  merchantId: string,
  above: { atMs: number; id: string } | undefined,
  limit: number,
  nowMs: number,
): Promise<ApiKeyTable[]> {
  let found = selectValid(query, merchantId, nowMs)
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit);
  if (above !== undefined) {
    const { atMs, id } = above;
    found = found.where((row) =>
      row.or([row('created_at', '>', atMs), row.and([row('created_at', '=', atMs), row('id', '>', id)])]),
    );
  }
  return await found.execute();
}

/**
 * Revokes a key at once. The last one that may do everything stays, or nobody but the operator could help the merchant.
 *
 * @returns as it was
 * @throws AppError `key_not_found`, `key_is_last`
 */
export async function revokeKey(
  { precious, now }: Context,
  merchantId: string,
  id: string,
): Promise<ApiKeyTable> {
  return await precious.transaction<PaymentTables, ApiKeyTable>(async (trx) => {
    await holdMerchant(trx, merchantId);
    const valid = await selectValid(trx, merchantId, now()).selectAll().execute();
    const key = valid.find((each) => each.id === id);
    if (key === undefined) throw new AppError('key_not_found', `There is no API key ${id}.`);
    const isLast = key.scope === 'all' && valid.filter(({ scope }) => scope === 'all').length === 1;
    if (isLast) {
      const detail = 'It is the last key that may do everything. Make another of the scope "all" first.';
      throw new AppError('key_is_last', detail);
    }
    await trx.deleteFrom('api_key').where('hash', '=', key.hash).execute();
    return key;
  });
}

/** Notes that a key was used, now and then. Whatever comes of it, the request goes on. */
export async function noteKeyUse(
  precious: Precious,
  { hash, last_used_at: lastMs }: Pick<ApiKeyTable, 'hash' | 'last_used_at'>,
  nowMs: number,
): Promise<void> {
  const latest = nowMs - USE_NOTED_MS;
  if (lastMs !== null && lastMs > latest) return;
  await precious
    .query<PaymentTables>()
    .updateTable('api_key')
    .set({ last_used_at: nowMs })
    .where('hash', '=', hash)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', latest)]))
    .execute()
    .catch(() => undefined);
}

/** A key as its merchant sees it. */
export function serialiseKey({
  id,
  name,
  scope,
  hint,
  created_at,
  last_used_at,
  expires_at,
}: Omit<ApiKeyTable, 'hash' | 'merchant_id' | 'granted'>): KeyJson {
  return {
    ...{ id, name, scope, hint },
    created_at: writeTime(created_at),
    last_used_at: last_used_at === null ? null : writeTime(last_used_at),
    expires_at: expires_at === null ? null : writeTime(expires_at),
  };
}

function selectValid(query: PaymentQuery, merchantId: string, nowMs: number) {
  return query
    .selectFrom('api_key')
    .where('merchant_id', '=', merchantId)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', nowMs)]));
}
