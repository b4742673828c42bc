import type { Precious } from '../../db/precious.ts';
import type { GaugeSource } from '../../http/metrics-server.ts';
import type { AnchorTables } from './anchor-store.ts';
import type { Anchorer } from './anchorer.ts';

const DAY_MS = 86_400_000;
/** What has waited longer waits for the operator: its wallet has been locked or empty all the time. */
const DAYS = 30;

/** How many anchors wait to be sent, and how many wait for a block in vain. */
export function listAnchorGauges(
  precious: Precious,
  { countStuck }: Pick<Anchorer, 'countStuck'>,
  now: () => number,
): GaugeSource[] {
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
            .where('digest', 'not like', 'fee:%')
            .executeTakeFirstOrThrow();
          return Number(count);
        } catch {
          return undefined;
        }
      },
    },
    {
      name: 'coinfront_anchors_stuck',
      help: 'Transactions of anchors that six blocks passed over, and whose fee cannot be raised: it is at its bound, or the wallet cannot.',
      read: async () => countStuck(),
    },
  ];
}
