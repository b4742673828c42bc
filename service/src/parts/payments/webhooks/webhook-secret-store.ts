import { sql } from 'kysely';
import { makeWebhookSecret } from '../../../webhooks/webhook-secret.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';

/** How long the present secret signs after a rotation, unless told otherwise: the time to install the new one. */
export const secretOverlapMs = 24 * 3_600_000;
/** Secrets that sign at once at most, the new one included: each makes the headers longer. */
const MAX_VALID = 5;

/** A new secret, as it is shown once. */
export type RotatedWebhookSecret = { secret: string; previousValidUntilMs: number };

/** Makes a merchant's first webhook secret; gives its text, which is shown once. */
export async function createWebhookSecret(
  trx: PaymentQuery,
  merchantId: string,
  nowMs: number,
): Promise<string> {
  const secret = makeWebhookSecret();
  await trx
    .insertInto('webhook_secret')
    .values({ id: createId('sec'), merchant_id: merchantId, secret, created_at: nowMs, expires_at: null })
    .execute();
  return secret;
}

/**
 * Makes a new secret. The present one signs as well until the overlap ends, and so do those whose overlap has not ended:
 * the one that is installed is among them, however often somebody rotates. Without an overlap all end at once. Runs
 * inside a transaction that holds the merchant.
 */
export async function rotateWebhookSecret(
  trx: PaymentQuery,
  merchantId: string,
  nowMs: number,
  overlapMs: number = secretOverlapMs,
): Promise<RotatedWebhookSecret> {
  const ofMerchant = trx.updateTable('webhook_secret').where('merchant_id', '=', merchantId);
  if (overlapMs === 0) await ofMerchant.set({ expires_at: nowMs }).where('expires_at', '>', nowMs).execute();
  const valid = (await listWebhookSecrets(trx, [merchantId], nowMs)).get(merchantId) ?? [];
  // One more would be too many. The last one gives way: those before it were shown earlier, and may be installed.
  const previousValidUntilMs = valid.length < MAX_VALID ? nowMs + overlapMs : nowMs;
  await ofMerchant.set({ expires_at: previousValidUntilMs }).where('expires_at', 'is', null).execute();
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
    .select(['merchant_id', 'secret'])
    .where('merchant_id', 'in', merchantIds)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', nowMs)]))
    .orderBy('created_at')
    // Of two that were made in one millisecond the present one is the younger.
    .orderBy(sql`case when expires_at is null then 1 else 0 end`)
    .execute();
  const byMerchant = new Map<string, string[]>();
  for (const { merchant_id, secret } of rows)
    byMerchant.set(merchant_id, [...(byMerchant.get(merchant_id) ?? []), secret]);
  return byMerchant;
}
