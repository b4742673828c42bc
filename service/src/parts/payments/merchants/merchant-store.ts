/** Rows of merchants, their keys and their first webhook secret. */

import type { Precious } from '../../../db/precious.ts';
import { sql } from '../../../db/statement.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import type { MerchantTable, PaymentTables } from '../schema/payment-tables.ts';
import { createWebhookSecret } from '../webhooks/webhook-secret-store.ts';
import { createApiKey } from './api-key.ts';

/** A merchant, as the operator made it. */
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
      .values({
        id,
        name,
        webhook_url: webhookUrl,
        pool_low_threshold: poolLowThreshold,
        sequence: 0,
        created_at: nowMs,
        disabled_at: null,
      })
      .execute();
    await trx
      .insertInto('api_key')
      .values({ hash, merchant_id: id, hint, created_at: nowMs, expires_at: null })
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

type KeyRow = Merchant & { key_hash: string; key_expires_at: number | null };
const FIND_BY_KEY = sql<KeyRow>(`
  select m.*, k.hash as key_hash, k.expires_at as key_expires_at
  from api_key k join merchant m on m.id = k.merchant_id where k.hash = $1`);

/** The merchant of a key, by the key's hash; `expiresAt` is the key's. */
export async function findMerchantByKey(
  precious: Precious,
  hash: string,
): Promise<{ merchant: Merchant; hash: string; expiresAt: number | null } | undefined> {
  const [row] = await precious.read(FIND_BY_KEY, [hash]);
  if (row === undefined) return undefined;
  const { key_hash: kept, key_expires_at: expiresAt, ...merchant } = row;
  return { merchant, hash: kept, expiresAt };
}

/** A merchant with what an operator wants to see of it. */
export type ListedMerchant = Merchant & { keys: readonly ListedKey[] };
export type ListedKey = { hint: string; created_at: number; expires_at: number | null };

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
    .select(['merchant_id', 'hint', 'created_at', 'expires_at'])
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', nowMs)]))
    .orderBy('created_at')
    .execute();
  return merchants.map((merchant) => ({
    ...merchant,
    keys: keys
      .filter(({ merchant_id }) => merchant_id === merchant.id)
      .map(({ hint, created_at, expires_at }) => ({ hint, created_at, expires_at })),
  }));
}

/**
 * Gives a merchant a new key; the one before is valid for `overlapMs` more, any before that no longer.
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
    const ofMerchant = trx.updateTable('api_key').where('merchant_id', '=', merchantId);
    await ofMerchant.set({ expires_at: nowMs }).where('expires_at', '>', nowMs).execute();
    await ofMerchant.set({ expires_at: previousValidUntil }).where('expires_at', 'is', null).execute();
    await trx
      .insertInto('api_key')
      .values({ hash, merchant_id: merchantId, hint, created_at: nowMs, expires_at: null })
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
