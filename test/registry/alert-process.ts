import type { DatabaseLocation } from '../../service/src/db/database.ts';
import { openPrecious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createAllowList } from '../../service/src/outbound/allow-list.ts';
import { createOutboundClient } from '../../service/src/outbound/outbound-client.ts';
import { startAlertSender } from '../../service/src/parts/registry/alerts/deliver-alerts.ts';

/** Sends alerts, as a process of its own that can be killed. */

const precious = await openPrecious(JSON.parse(process.argv[2]!) as DatabaseLocation, preciousMigrations);
const { post } = createOutboundClient({ allow: createAllowList(['loopback']) });
startAlertSender({
  precious,
  post,
  userAgent: 'Coinfront',
  now: Date.now,
  onError: (error) => console.error(error),
  // A claim of a killed process runs out soon, and no number of failures ends a delivery.
  ...{ claimMs: 500, pollMs: 20, pausesMs: Array.from({ length: 1_000 }, () => 20) },
});
