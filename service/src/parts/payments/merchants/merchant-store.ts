/** Rows of merchants, their keys and their first webhook secret. */

import type { Precious } from '../../../db/precious.ts';
import { sql } from '../../../db/statement.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import { newMerchantRow } from '../schema/new-rows.ts';
import type { ApiKeyTable, MerchantTable, PaymentTables } from '../schema/payment-tables.ts';
import { createWebhookSecret } from '../webhooks/webhook-secret-store.ts';
import { createApiKey } from './api-key.ts';

export type Merchant = MerchantTable;

/** What a merchant is made of. */
export type NewMerchant = { name: string; webhookUrl: string | null; poolLowThreshold: number };

/** A merchant that was made; key and secret are shown this once. */
export type CreatedMerchant = { id: string; apiKey: string; webhookSecret: string };

/** Makes a merchant with a key and a webhook secret. */
export async function createMerchant(
  precious: Precious,
  { name, webhookUrl, poolLowThreshold }: NewMerchant,
  nowMs: number,
): Promise<CreatedMerchant> {
  const id = createId('mer');
  const { key, hash, hint } = createApiKey();
  return await precious.transaction<PaymentTables, CreatedMerchant>(async (trx) => {
    await trx
      .insertInto('merchant')
      .values(
        newMerchantRow({
          id,
          name,
          webhook_url: webhookUrl,
          pool_low_threshold: poolLowThreshold,
          created_at: nowMs,
        }),
      )
      .execute();
    await trx
      .insertInto('api_key')
      .values({ hash, merchant_id: id, id: createId('key'), hint, scope: 'all', created_at: nowMs })
      .execute();
    return { id, apiKey: key, webhookSecret: await createWebhookSecret(trx, id, nowMs) };
  });
}

/** Keeps others from changing a merchant's keys and secrets until the transaction ends. @returns whether there is one */
export async function holdMerchant(trx: PaymentQuery, id: string): Promise<boolean> {
  // A write locks the row on both engines.
  const { numUpdatedRows } = await trx
    .updateTable('merchant')
    .set((row) => ({ sequence: row.ref('sequence') }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type KeyColumns = { [name in keyof FoundKey as `key_${name}`]: FoundKey[name] };
const FIND_BY_KEY = sql<Merchant & KeyColumns>(`
  select m.*, k.id as key_id, k.hash as key_hash, k.scope as key_scope, k.expires_at as key_expires_at,
    k.last_used_at as key_last_used_at, k.granted as key_granted
  from api_key k join merchant m on m.id = k.merchant_id where k.hash = $1`);

/** What a request has to know of the key it carries. */
export type FoundKey = Pick<ApiKeyTable, 'id' | 'hash' | 'scope' | 'expires_at' | 'last_used_at' | 'granted'>;

/** The merchant of a key, by the key's hash. */
export async function findMerchantByKey(
  precious: Precious,
  hash: string,
): Promise<{ merchant: Merchant; key: FoundKey } | undefined> {
  const [row] = await precious.read(FIND_BY_KEY, [hash]);
  if (row === undefined) return undefined;
  const { key_id, key_hash, key_scope, key_expires_at, key_last_used_at, key_granted, ...merchant } = row;
  const key = {
    id: key_id,
    hash: key_hash,
    scope: key_scope,
    expires_at: key_expires_at,
    last_used_at: key_last_used_at,
    granted: key_granted,
  };
  return { merchant, key };
}

/** A merchant with what an operator wants to see of it. */
export type ListedMerchant = Merchant & { keys: readonly ListedKey[] };
export type ListedKey = Omit<ApiKeyTable, 'hash' | 'merchant_id' | 'granted'>;

/** All merchants, oldest first, with the keys that are valid at `nowMs`. */
export async function listMerchants(precious: Precious, nowMs: number): Promise<ListedMerchant[]> {
  const query = precious.query<PaymentTables>();
  const merchants = await query
    .selectFrom('merchant')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const keys = await query
    .selectFrom('api_key')
    .select(['merchant_id', 'id', 'name', 'scope', 'hint', 'created_at', 'expires_at', 'last_used_at'])
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', nowMs)]))
    .orderBy('created_at')
    .execute();
  return merchants.map((merchant) => ({
    ...merchant,
    keys: keys
      .filter(({ merchant_id }) => merchant_id === merchant.id)
      .map(({ merchant_id: _, ...key }) => key),
  }));
}

/**
 * Gives a merchant a new key of the operator's; the one before is valid for `overlapMs` more, any before that no longer. Keys with a
 * name are the merchant's, and stay as they are.
 *
 * @returns undefined when there is no such merchant
 */
export async function rotateApiKey(
  precious: Precious,
  merchantId: string,
  overlapMs: number,
  nowMs: number,
): Promise<{ apiKey: string; previousValidUntil: number } | undefined> {
  const { key, hash, hint } = createApiKey();
  const previousValidUntil = nowMs + overlapMs;
  return await precious.transaction<
    PaymentTables,
    { apiKey: string; previousValidUntil: number } | undefined
  >(async (trx) => {
    if (!(await holdMerchant(trx, merchantId))) return undefined;
    const ofOperator = trx
      .updateTable('api_key')
      .where('merchant_id', '=', merchantId)
      .where('name', 'is', null);
    await ofOperator.set({ expires_at: nowMs }).where('expires_at', '>', nowMs).execute();
    await ofOperator.set({ expires_at: previousValidUntil }).where('expires_at', 'is', null).execute();
    await trx
      .insertInto('api_key')
      .values({ hash, merchant_id: merchantId, id: createId('key'), hint, scope: 'all', created_at: nowMs })
      .execute();
    return { apiKey: key, previousValidUntil };
  });
}

/** Disables a merchant's keys, or enables them again. @returns whether there is such a merchant */
export async function setMerchantDisabled(
  precious: Precious,
  merchantId: string,
  disabledAt: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await precious
    .query<PaymentTables>()
    .updateTable('merchant')
    .set({ disabled_at: disabledAt })
    .where('id', '=', merchantId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
