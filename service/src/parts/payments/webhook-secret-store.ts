import { randomBytes } from 'node:crypto';
import type { PaymentQuery } from './payment-context.ts';
import { createId } from './payment-ids.ts';

/** How long two secrets sign after a rotation, unless told otherwise: the time to install the new one. */
export const secretOverlapMs = 24 * 3_600_000;

/** A new secret, as it is shown once. */
export type RotatedWebhookSecret = { secret: string; previousValidUntilMs: number };

/** Makes a merchant's first webhook secret; gives its text, which is shown once. */
export async function createWebhookSecret(
  trx: PaymentQuery,
  merchantId: string,
  nowMs: number,
): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await trx
    .insertInto('webhook_secret')
    .values({ id: createId('sec'), merchant_id: merchantId, secret, created_at: nowMs, expires_at: null })
    .execute();
  return secret;
}

/**
 * Makes a new secret; the present one signs as well until the overlap ends. Never more than two are valid: one that was
 * ending already ends at once. Runs inside a transaction, which locks the merchant.
 */
export async function rotateWebhookSecret(
  trx: PaymentQuery,
  merchantId: string,
  nowMs: number,
  overlapMs: number = secretOverlapMs,
): Promise<RotatedWebhookSecret> {
  // A write locks the row on both engines: two rotations at once must not both keep the present secret.
  await trx
    .updateTable('merchant')
    .set((row) => ({ sequence: row.ref('sequence') }))
    .where('id', '=', merchantId)
    .execute();
  const previousValidUntilMs = nowMs + overlapMs;
  await trx
    .updateTable('webhook_secret')
    .set({ expires_at: nowMs })
    .where('merchant_id', '=', merchantId)
    .where('expires_at', '>', nowMs)
    .execute();
  await trx
    .updateTable('webhook_secret')
    .set({ expires_at: previousValidUntilMs })
    .where('merchant_id', '=', merchantId)
    .where('expires_at', 'is', null)
    .execute();
  return { secret: await createWebhookSecret(trx, merchantId, nowMs), previousValidUntilMs };
}

/** The valid secrets of merchants, by merchant, the oldest first. */
export async function listWebhookSecrets(
  query: PaymentQuery,
  merchantIds: readonly string[],
  nowMs: number,
): Promise<Map<string, string[]>> {
  const rows = await query
    .selectFrom('webhook_secret')
    .select(['merchant_id', 'secret', 'expires_at'])
    .where('merchant_id', 'in', merchantIds)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', nowMs)]))
    .execute();
  // The one that ends is the older one.
  rows.sort(
    (a, b) => (a.expires_at ?? Number.POSITIVE_INFINITY) - (b.expires_at ?? Number.POSITIVE_INFINITY),
  );
  const byMerchant = new Map<string, string[]>();
  for (const { merchant_id, secret } of rows)
    byMerchant.set(merchant_id, [...(byMerchant.get(merchant_id) ?? []), secret]);
  return byMerchant;
}
