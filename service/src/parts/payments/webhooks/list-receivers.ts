import type { Precious } from '../../../db/precious.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';

/** Latest receivers that are looked at, of which origins are taken. */
const LOOKED_AT = 1_000;

/** Where events of merchants that are not disabled go, one URL an origin, the newest first. */
export async function listReceivers(precious: Precious, limit: number): Promise<string[]> {
  const db = precious.query<PaymentTables>();
  const merchants = await db
    .selectFrom('merchant')
    .select('webhook_url as url')
    .where('webhook_url', 'is not', null)
    .where('disabled_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(LOOKED_AT)
    .execute();
  const endpoints = await db
    .selectFrom('webhook_endpoint')
    .select('url')
    .where('enabled', '=', 1)
    .orderBy('created_at', 'desc')
    .limit(LOOKED_AT)
    .execute();
  const urls = new Map<string, string>();
  for (const { url } of [...endpoints, ...merchants]) {
    if (url !== null && URL.canParse(url) && urls.size < limit) urls.set(new URL(url).origin, url);
  }
  return [...urls.values()];
}
