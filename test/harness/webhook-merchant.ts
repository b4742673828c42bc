/** A precious database with merchants and events, as the routes and the judge write them, for suites of webhooks. */

import { join } from 'node:path';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createId } from '../../service/src/parts/payments/payment-ids.ts';
import { newMerchantRow } from '../../service/src/parts/payments/schema/new-rows.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import type {
  DeliveryAttemptTable,
  DeliveryTable,
} from '../../service/src/parts/payments/schema/webhook-tables.ts';
import { recordPoolEvent } from '../../service/src/parts/payments/webhooks/record-event.ts';
import { createWebhookSecret } from '../../service/src/parts/payments/webhooks/webhook-secret-store.ts';
import type { TestEngine } from './engines.ts';

export type TestMerchant = { readonly id: string; readonly secret: string };

/** Opens a fresh precious database; the caller closes it. */
export async function openTestPrecious(engine: TestEngine): Promise<Precious> {
  const place = await engine.openUrl();
  return await openPrecious(
    place.kind === 'sqlite' ? { kind: 'sqlite', file: join(place.dataDir, 'front.db') } : place,
    preciousMigrations,
  );
}

export async function createTestMerchant(precious: Precious): Promise<TestMerchant> {
  const id = createId('mer');
  return await precious.transaction<PaymentTables, TestMerchant>(async (trx) => {
    await trx
      .insertInto('merchant')
      .values(newMerchantRow({ id, name: 'Test', created_at: Date.now() }))
      .execute();
    return { id, secret: await createWebhookSecret(trx, id, Date.now()) };
  });
}

/** Tells `count` events of a merchant, in one transaction, to a receiver. */
export async function tellEvents(
  precious: Precious,
  merchant: TestMerchant,
  url: string,
  count = 1,
  nowMs = Date.now(),
): Promise<void> {
  const told = { id: merchant.id, webhook_url: url, pool_low_threshold: 10 };
  await precious.transaction<PaymentTables, void>(async (trx) => {
    for (let n = 0; n < count; n += 1) await recordPoolEvent(trx, 'pool.low', told, n, nowMs);
  });
}

export async function listDeliveries(precious: Precious, url?: string): Promise<DeliveryTable[]> {
  const all = precious.query<PaymentTables>().selectFrom('delivery').selectAll().orderBy('created_at');
  return await (url === undefined ? all : all.where('url', '=', url)).execute();
}

export async function listAttempts(precious: Precious): Promise<DeliveryAttemptTable[]> {
  return await precious
    .query<PaymentTables>()
    .selectFrom('delivery_attempt')
    .selectAll()
    .orderBy('delivery_id')
    .orderBy('attempt')
    .execute();
}
