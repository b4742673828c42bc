import type { DatabaseLocation } from '../../service/src/db/database.ts';
import { openPrecious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createAllowList } from '../../service/src/outbound/allow-list.ts';
import { createOutboundClient } from '../../service/src/outbound/outbound-client.ts';
import { startDeliverer } from '../../service/src/parts/payments/webhooks/deliver-webhooks.ts';
import { type TestMerchant, tellEvents } from '../harness/webhook-merchant.ts';

/** Tells events and delivers them, as a process of its own that can be killed; prints after each commit of an event. */

/** What it is started with, as JSON. */
export type DelivererProcessOptions = {
  database: DatabaseLocation;
  merchant: TestMerchant;
  urls: string[];
  /** It stops telling when the merchant has this many events. */
  events: number;
};

const { database, merchant, urls, events } = JSON.parse(process.argv[2]!) as DelivererProcessOptions;
const precious = await openPrecious(database, preciousMigrations);
const { post } = createOutboundClient({ allow: createAllowList(['loopback']) });
const deliverer = startDeliverer(
  { precious, now: Date.now, post, onError: (error) => console.error(error) },
  // A claim of a killed process runs out soon, and no number of failures ends a delivery.
  { claimMs: 500, pollMs: 50, pausesMs: Array.from({ length: 1_000 }, () => 20) },
);
for (;;) {
  const { count } = await precious
    .query<{ event: { id: string } }>()
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= events) break;
  await tellEvents(precious, merchant, urls[Number(count) % urls.length]!);
  deliverer.wake();
  console.log('told');
}
