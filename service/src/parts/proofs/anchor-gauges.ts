import type { Precious } from '../../db/precious.ts';
import type { GaugeSource } from '../../http/metrics-server.ts';
import type { AnchorTables } from './anchor-store.ts';

const DAY_MS = 86_400_000;
/** What has waited longer waits for the operator: its wallet has been locked or empty all the time. */
const DAYS = 30;

/** How many anchors wait to be sent. */
export function listAnchorGauges(precious: Precious, now: () => number): GaugeSource[] {
  return [
    {
      name: 'coinfront_anchors_waiting',
      help: 'Digests of the last 30 days that were taken to be anchored, and whose transaction the node has not taken yet.',
      async read() {
        try {
          const { count } = await precious
            .query<AnchorTables>()
            .selectFrom('anchor_request')
            .select(({ fn }) => fn.countAll<string | number>().as('count'))
            .where('day', '>=', Math.floor(now() / DAY_MS) - DAYS)
            .where('state', '!=', 'sent')
            .executeTakeFirstOrThrow();
          return Number(count);
        } catch {
          return undefined;
        }
      },
    },
  ];
}
